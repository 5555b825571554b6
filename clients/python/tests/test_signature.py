import hashlib
import hmac
import json

import pytest

from ringback import verify_signature

BODY = '{"name":"Søren 📞"}'.encode()
SIGNATURE = hmac.new(b"secret", BODY, hashlib.sha256).hexdigest()


def test_a_body_is_verified_as_the_bytes_or_the_text_that_came() -> None:
    assert verify_signature(BODY, SIGNATURE, "secret")
    assert verify_signature(BODY.decode(), SIGNATURE, "secret")


@pytest.mark.parametrize(
    "header", [None, "", "no-secret-provided", SIGNATURE.upper(), SIGNATURE[:-1], "ø", "\udcff", SIGNATURE + "0"]
)
def test_another_header_is_refused(header: str | None) -> None:
    assert not verify_signature(BODY, header, "secret")


def test_another_body_or_secret_is_refused() -> None:
    assert not verify_signature(BODY + b" ", SIGNATURE, "secret")
    assert not verify_signature(BODY, SIGNATURE, "other")
    assert not verify_signature("\udcff", SIGNATURE, "secret")


def test_a_parsed_body_and_a_missing_secret_are_errors() -> None:
    with pytest.raises(TypeError, match="not the parsed one"):
        verify_signature(json.loads(BODY), SIGNATURE, "secret")
    with pytest.raises(ValueError, match="needs the signing secret"):
        verify_signature(BODY, SIGNATURE, "")
