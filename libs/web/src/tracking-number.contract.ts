import { withoutBlanks } from '#domain/tracking-number';
import { text } from '#base/text';

/** As the carrier knows it: people copy it with the blanks of its label, and systems compare it with those of others. */
export const TrackingNumber = text(255).overwrite(withoutBlanks).min(1);
