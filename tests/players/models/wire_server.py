"""A small real HTTP server for the tests of the wire: it answers what it is told to, and keeps what it was asked."""

import asyncio
import json
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Asked:
    path: str
    headers: dict
    body: dict


@dataclass
class Server:
    answers: list
    url: str = ""
    asked: list = field(default_factory=list)
    connections: int = 0
    later: dict = field(default_factory=dict)
    """By the number of an answer: seconds, and what follows it after them, asked or not."""

    async def serve(self, reader, writer):
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
                raw = dict(line.split(": ", 1) for line in head[1:] if line)
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                cased = {name.lower(): value for name, value in raw.items()}
                self.asked.append(Asked(head[0].split()[1], cased, json.loads(body) if body else {}))
                answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
                if answer is None:  # hang up without a word
                    break
                pieces = answer if isinstance(answer, tuple) else (answer,)
                writer.writelines(pieces)  # sent together; over TLS each piece is a record of its own
                await writer.drain()
                if len(self.asked) in self.later:
                    pause, rest = self.later[len(self.asked)]
                    await asyncio.sleep(pause)
                    writer.write(rest)
                if b"connection: close" in pieces[0].split(b"\r\n\r\n")[0].lower():
                    break
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()


CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""Of 127.0.0.1, signed by nobody but itself, with its key: of no use but here."""


@asynccontextmanager
async def serving(*answers, tls=False):
    """A server that gives one answer after the other, the last one for ever."""
    server, context = Server(list(answers)), None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context)
    server.url = f"http{'s' * tls}://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        listener.close()
        await listener.wait_closed()


def http(status, body, **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", "content-length": len(content), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Status\r\n{lines}\r\n".encode() + content


def chat(content="fine", *, finish="stop", usage=(120, 20), **message):
    said = {"role": "assistant", "content": content, **message}
    reply = {"id": "chatcmpl-7", "object": "chat.completion", "created": 1_700_000_000, "model": "tiny-2"}
    reply["choices"] = [{"index": 0, "message": said, "finish_reason": finish}]
    if usage:
        reply["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return http(200, reply)


def called(arguments, **more):
    call = {"id": "call-1", "type": "function", "function": {"name": "answer", "arguments": arguments}}
    return chat(None, finish="tool_calls", tool_calls=[call], **more)
