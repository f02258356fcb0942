import { diag, DiagLogLevel, trace } from '@opentelemetry/api';
import { loadOptional } from '#base/optional-package';
import type { Settings } from '#base/settings';
import { withTimeout } from '#base/with-timeout';
import { errorLog } from './error-log.js';

const PACKAGES = {
  neededBy: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  name: '@opentelemetry/sdk-trace-node',
  install: '@opentelemetry/sdk-trace-node@2 @opentelemetry/resources@2 @opentelemetry/exporter-trace-otlp-http@0.223',
};

const onError = errorLog('traces');

// The collector may be away, and the process has to end.
const FLUSH_WITHIN_MS = 1_000;

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, if that is set. The packages are loaded only then.
 * @throws Error with the command that installs the packages, if they are missing
 */
export async function startTraces(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Settings, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
): Promise<void> {
  if (endpoint === undefined) return;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await loadOptional(
    PACKAGES,
    () =>
      Promise.all([
        import('@opentelemetry/sdk-trace-node'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/resources'),
      ]),
  );
  const report = (message: string) => onError(new Error(message.slice(0, 300)));
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  // The address of the collector, and the sampler, are in the environment: see `loadServiceSettings`.
  const provider = new NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': service }).merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
}

/** Sends the spans that have ended. Never throws. */
export async function flushTraces(): Promise<void> {
  const proxy = trace.getTracerProvider() as { getDelegate?: () => { forceFlush?: () => Promise<void> } };
  const sent = proxy.getDelegate?.().forceFlush?.() ?? Promise.resolve();
  await withTimeout(sent, FLUSH_WITHIN_MS, 'sending the last spans').catch(onError);
}
