export function optionalGaps(
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>,
): string[];
