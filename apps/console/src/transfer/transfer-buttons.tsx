import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { transferWords as words } from '../words/transfer.js';

const ExportDialog = lazy(() => import('./export-dialog.js').then((part) => ({ default: part.ExportDialog })));
const ImportDialog = lazy(() => import('./import-dialog.js').then((part) => ({ default: part.ImportDialog })));

type Props = Readonly<{ selected: ReadonlySet<string>; where: unknown; isSearch: boolean }>;

/** For those who may begin jobs. */
export function TransferButtons({ selected, where, isSearch }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const [open, setOpen] = useState<'export' | 'import' | null>(null);
  if (!may(session, 'runs:act')) return null;
  const close = () => setOpen(null);
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('export')}>
        {words.export}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('import')}>
        {words.import}
      </Button>
      <Suspense>
        {open === 'export' && <ExportDialog selected={selected} where={where} isSearch={isSearch} onClose={close} />}
        {open === 'import' && <ImportDialog onClose={close} />}
      </Suspense>
    </>
  );
}
