const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** `install`: what `npm install` takes, e.g. "stripe@23". */
type OptionalPackage = Readonly<{ provider: string; name: string; install: string }>;

/**
 * Loads a package that is installed only where its provider is used.
 * @throws Error with the command that installs it, if it is missing
 */
export async function loadOptional<T>(
  { provider, name, install }: OptionalPackage,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MISSING.includes(String(error.code)))) throw error;
    throw new Error(`The payment provider ${provider} needs the package "${name}": npm install ${install}`);
  }
}
