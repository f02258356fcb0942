const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** `neededBy` begins a sentence, e.g. "The payment provider stripe". `install`: what `npm install` takes, e.g. "stripe@23". */
type OptionalPackage = Readonly<{ neededBy: string; name: string; install: string }>;

/** Its message has the command that installs the package. */
export class MissingPackage extends Error {}

/**
 * Loads a package that is installed only where it is used.
 * @throws MissingPackage
 */
export async function loadOptional<T>(
  { neededBy, name, install }: OptionalPackage,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MISSING.includes(String(error.code)))) throw error;
    throw new MissingPackage(`${neededBy} needs the package "${name}": npm install ${install}`);
  }
}
