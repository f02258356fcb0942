import * as kind from './kinds.js';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

/** OpenTelemetry's own names, so that what people know of them holds here. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: kind
    .webAddress()
    .optional()
    .describe(
      'collector that receives traces by OTLP over HTTP (JSON), such as http://localhost:4318; unset = no traces',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: kind
    .secret()
    .optional()
    .describe('headers for the collector, such as api-key=value, comma-separated, with blanks as %20'),
  OTEL_TRACES_SAMPLER: kind
    .choice(...SAMPLERS, ...SAMPLERS.map((sampler) => `parentbased_${sampler}` as const))
    .optional()
    .describe('which traces are recorded, by the names of OpenTelemetry; unset = parentbased_always_on, that is all'),
  OTEL_TRACES_SAMPLER_ARG: kind
    .matching(/^(?:0(?:\.\d{1,9})?|1(?:\.0)?)$/, 'a share from 0 to 1, such as 0.1')
    .optional()
    .describe('share of the traces that traceidratio records'),
};
