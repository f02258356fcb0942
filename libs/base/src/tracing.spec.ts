import { context, SpanKind, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterEach, describe, expect, it } from 'vitest';
import { activeTraceparent, continued, contextOf, isTracing, traced, tracedWithin, traceFields } from './tracing.js';

const TRACE = 'a'.repeat(32);
const SPAN = 'b'.repeat(16);
const RECEIVED = `00-${TRACE}-${SPAN}-01`;

/** Registers an SDK. */
function recording() {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  return exporter;
}

afterEach(() => {
  trace.disable();
  context.disable();
});

const active = () => Promise.resolve(activeTraceparent());

describe('without an SDK', () => {
  it('does the work, and there is no span', async () => {
    expect(isTracing()).toBe(false);
    expect(await traced({ name: 'append' }, active)).toBeUndefined();
    expect(await continued(RECEIVED, { name: 'process pings' }, active)).toBeUndefined();
    expect(traceFields()).toEqual({});
  });
});

describe('with an SDK', () => {
  it('a span within another one is in its trace, and the active one is what others continue', async () => {
    const exporter = recording();
    const inner = await traced({ name: 'POST', kind: SpanKind.SERVER }, () =>
      tracedWithin(() => ({ name: 'append' }), active),
    );
    const [append, post] = exporter.getFinishedSpans();
    const { traceId, spanId } = append?.spanContext() ?? {};
    expect(append?.parentSpanContext?.spanId).toBe(post?.spanContext().spanId);
    expect(inner).toBe(`00-${traceId}-${spanId}-01`);
  });

  it('continues what was stored, in another context', async () => {
    const exporter = recording();
    await traced({ name: 'another trace' }, () => continued(RECEIVED, { name: 'process pings' }, active));
    const [ping] = exporter.getFinishedSpans();
    expect(ping?.spanContext().traceId).toBe(TRACE);
    expect(ping?.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
  });

  it.each([
    ['nothing was stored', () => continued(null, { name: 'process pings' }, active)],
    ['no trace is active', () => tracedWithin(() => ({ name: 'POST' }), active)],
  ])('begins no trace where %s', async (_, work) => {
    const exporter = recording();
    expect(await work()).toBeUndefined();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('stores nothing of a trace that nobody records', async () => {
    recording();
    const unsampled = `00-${TRACE}-${SPAN}-00`;
    expect(await continued(unsampled, { name: 'process pings' }, active)).toBeUndefined();
  });

  it('marks a span that failed, without the message', async () => {
    const exporter = recording();
    const failing = traced({ name: 'append' }, () => Promise.reject(new TypeError('ada@example.com')));
    await expect(failing).rejects.toThrow('ada@example.com');
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({ 'error.type': 'TypeError' });
    expect([span?.status.message, span?.events]).toEqual([undefined, []]);
  });
});

it.each([
  ['', false],
  [RECEIVED, true],
  [`01-${TRACE}-${SPAN}-01-later`, true],
  [`ff-${TRACE}-${SPAN}-01`, false],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, false],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, false],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
  [`00-${TRACE}-${SPAN}`, false],
])('reads the traceparent %s', (text, isValid) => {
  expect(trace.getSpanContext(contextOf(text))?.traceId).toBe(isValid ? TRACE : undefined);
});
