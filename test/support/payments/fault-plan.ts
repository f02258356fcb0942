import { SeededRandomness } from '#base/seeded-randomness';
import type { ProviderFault, ProviderStep, SeededFaults } from './provider-double.js';

/** Which fault each request gets: those that a test asked for, else those by chance. */
export class FaultPlan {
  readonly #asked: { fault: ProviderFault; step: ProviderStep | undefined }[] = [];
  #chance: Readonly<{ rates: SeededFaults['rates']; randomness: SeededRandomness }> | undefined;

  next(fault: ProviderFault, step?: ProviderStep): void {
    this.#asked.push({ fault, step });
  }

  fail(faults: SeededFaults | undefined): void {
    this.#chance = faults && { rates: faults.rates, randomness: new SeededRandomness(faults.seed) };
  }

  take(step: ProviderStep): ProviderFault | undefined {
    const at = this.#asked.findIndex((each) => each.step === undefined || each.step === step);
    if (at >= 0) return this.#asked.splice(at, 1)[0]!.fault;
    if (!this.#chance || step === 'read') return undefined;
    let left = this.#chance.randomness.fraction();
    for (const [fault, rate] of Object.entries(this.#chance.rates)) {
      left -= rate;
      if (left < 0) return fault as ProviderFault;
    }
    return undefined;
  }
}
