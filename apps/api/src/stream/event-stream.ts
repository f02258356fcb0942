import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Begins an answer of server-sent events and takes it out of Fastify's hands. It ends with its connection, so that a frame
 * goes to the socket as it is; the time-out for requests (server.ts) is over once the request has arrived. Undefined where
 * only the headers were asked for.
 */
export function openEventStream({ method }: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  const { raw } = reply;
  reply.hijack();
  raw.useChunkedEncodingByDefault = false;
  raw.shouldKeepAlive = false;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // nginx would collect the events.
    'x-accel-buffering': 'no',
  });
  if (method !== 'HEAD') return raw;
  raw.end();
  return undefined;
}
