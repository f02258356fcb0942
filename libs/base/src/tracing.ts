import {
  type Attributes,
  context,
  type Context,
  isSpanContextValid,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';

/** Attributes have the names of OpenTelemetry's semantic conventions. Never personal data, card data, bodies or whole addresses. */
export type SpanStart = Readonly<{ name: string; kind?: SpanKind; attributes?: Attributes }>;

/** `span` is undefined where nothing is traced. */
type Work<T> = (span: Span | undefined) => Promise<T>;

/** Whether an OpenTelemetry SDK is registered, be it ours (libs/platform/src/trace-export.ts) or one that was loaded before us. */
export function isTracing(): boolean {
  // Without an SDK, the api's stand-in has no tracer to pass calls on to.
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer('willcall') !== undefined;
}

/** Does the work as a span of the active trace, or of a new one. */
export async function traced<T>(start: SpanStart, work: Work<T>): Promise<T> {
  return isTracing() ? await spanned(start, context.active(), work) : await work(undefined);
}

/** Does the work as a span of the active trace. Outside a trace it is no span. @param start called only for a span */
export async function tracedWithin<T>(start: () => SpanStart, work: Work<T>): Promise<T> {
  return trace.getActiveSpan() ? await spanned(start(), context.active(), work) : await work(undefined);
}

/** Does the work as a span of the trace that something stored or sent. Without one it is no span. @param traceparent W3C Trace Context */
export async function continued<T>(traceparent: string | null, start: SpanStart, work: Work<T>): Promise<T> {
  if (traceparent === null || !isTracing()) return await work(undefined);
  return await spanned(start, contextOf(traceparent), work);
}

/** Starts a span that ends with `span.end()`, and the context in which its work runs. */
export function startSpan({ name, ...options }: SpanStart, parent: Context): { span: Span; within: Context } {
  const span = trace.getTracer('willcall').startSpan(name, options, parent);
  return { span, within: trace.setSpan(parent, span) };
}

/** The active span as a value of the header `traceparent`. Undefined if nobody records it. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${span.traceId}-${span.spanId}-01`;
}

/** For a request to another service. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = activeTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** For a log line. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** The context of a `traceparent`. That of a new trace if there is none or it is invalid. */
export function contextOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Marks a span whose work failed. Only the kind of failure: a message may quote what was sent. */
export function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
}

async function spanned<T>(start: SpanStart, parent: Context, work: Work<T>): Promise<T> {
  const { span, within } = startSpan(start, parent);
  try {
    return await context.with(within, work, undefined, span);
  } catch (error) {
    markFailed(span, error);
    throw error;
  } finally {
    span.end();
  }
}
