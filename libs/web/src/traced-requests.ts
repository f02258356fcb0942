import { type Context, context, type Span, SpanKind } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, markFailed, startSpan } from '#base/tracing';

const QUIET = /^\/(?:health\/|metrics$)/;

/**
 * Makes each request a span, which continues the trace of its `traceparent` header. It names the route, not the path: some paths have tokens.
 * Add it before all other hooks.
 */
export function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, { span: Span; within: Context }>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const { url: route } = routeOptions;
    if (route !== undefined && QUIET.test(route)) return done();
    const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
    const name = route === undefined ? method : `${method} ${route}`;
    const started = startSpan(
      { name, kind: SpanKind.SERVER, attributes },
      contextOf(String(headers['traceparent'] ?? '')),
    );
    spans.set(request, started);
    context.with(started.within, done);
  });
  // The body has been read since, in callbacks that know nothing of the request.
  fastify.addHook('preHandler', (request, _reply, done) => {
    const started = spans.get(request);
    if (started) context.with(started.within, done);
    else done();
  });
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    const started = spans.get(request);
    if (!started) return done();
    started.span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) markFailed(started.span, statusCode);
    started.span.end();
    // So that the line of the log has the ids.
    context.with(started.within, done);
  });
}
