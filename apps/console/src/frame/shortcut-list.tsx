import { lazyPart } from './lazy-part.js';

const ShortcutDialog = lazyPart(async () => (await import('./shortcut-dialog.js')).ShortcutDialog);

type Props = Readonly<{ keys: readonly (readonly [string, string])[]; opened: boolean; onClose: () => void }>;

export function ShortcutList({ opened, ...shown }: Props) {
  return opened && <ShortcutDialog {...shown} />;
}
