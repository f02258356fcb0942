/** The provider could not do it yet. The step is tried again later. */
export class StepWaits extends Error {}
