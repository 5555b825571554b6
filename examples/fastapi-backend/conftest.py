import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import uvicorn
from backend import create_app
from ringback import World


@pytest.fixture
def backend(ringback: World) -> Iterator[httpx.Client]:
    """A client of the backend, which runs in a thread and talks to the world of this test."""
    app = create_app(ringback.url, ringback.api_key, ringback.signing_secret)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        yield client
    server.should_exit = True
    thread.join()
