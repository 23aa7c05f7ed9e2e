"""What the connections of one server share, handed to each by the web server's own configuration."""

from __future__ import annotations

from typing import Any

import uvicorn

from serai.server.net.admission import Admission
from serai.server.net.backlog import Backlog


class NetConfig(uvicorn.Config):
    """uvicorn's, with who may come in and who is behind."""

    def __init__(self, app: Any, *, admission: Admission, unsent: Backlog, **options: Any) -> None:
        super().__init__(app, **options)
        self.admission = admission
        self.unsent = unsent
