"""A small HTTP/2 server for http_hostile.py: /ok answers, /never does not, /reset resets."""

import asyncio

import h2.config
import h2.connection
import h2.errors
import h2.events


connections = 0


async def serve(reader, writer):
    global connections
    connections += 1
    number = connections
    link = h2.connection.H2Connection(
        h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
    link.initiate_connection()
    requests, bodies = {}, {}

    def answer(stream):
        method, path = requests[stream]
        if path.startswith("/never"):
            return
        if path.startswith("/reset"):
            link.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
            return
        link.send_headers(stream, [
            (":status", "200"), ("x-connection", str(number)),
            ("x-received", f"{method} {bodies[stream]}")])
        link.send_data(stream, b"ok", end_stream=True)

    try:
        while True:
            writer.write(link.data_to_send())
            await writer.drain()
            data = await reader.read(65536)
            if not data:
                break
            for event in link.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    fields = dict(event.headers)
                    requests[event.stream_id] = fields[":method"], fields[":path"]
                    bodies[event.stream_id] = 0
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] += len(event.data)
                    link.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    answer(event.stream_id)
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()
