"""The signature of webhooks that carry one: the lowercase hexadecimal HMAC-SHA256 of the raw body."""

from __future__ import annotations

import hashlib
import hmac

SIGNATURE_HEADER = "X-service-Signature-256"
WORLD_SIGNING_SECRET = "sandbox_signing_secret"
"""What webhooks are signed with, unless their subscription has a secret of its own."""


def sign(raw_body: bytes | str, secret: str) -> str:
    """What the header has for this body."""
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def verify_signature(raw_body: bytes | str, header: str | None, secret: str) -> bool:
    """Whether a received body was signed with this secret, compared in constant time.

    Pass the raw bytes as they came, never a body that was parsed and serialized again. Raises TypeError for a parsed
    body, and ValueError without a secret, because then anyone could sign.
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview, str)):
        raise TypeError(
            "verify_signature needs the raw body as bytes or str, not the parsed one "
            f"(given: {type(raw_body).__name__})"
        )
    if not isinstance(secret, str) or secret == "":
        raise ValueError("verify_signature needs the signing secret of the subscription")
    if not isinstance(header, str):
        return False
    body = raw_body.encode(errors="surrogatepass") if isinstance(raw_body, str) else bytes(raw_body)
    # Bytes, because compare_digest refuses text that is not ASCII. Some frameworks keep what is no UTF-8 in surrogates.
    return hmac.compare_digest(sign(body, secret).encode(), header.encode(errors="surrogatepass"))
