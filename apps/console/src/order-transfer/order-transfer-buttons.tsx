import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderCondition } from '../api/orders.js';
import { may, sessionQuery } from '../api/session.js';
import { orderTransferWords as words } from './order-transfer-words.js';
import { lazyPart } from '../frame/lazy-part.js';

const ExportDialog = lazyPart(async () => (await import('./export-dialog.js')).ExportDialog);
const ImportDialog = lazyPart(async () => (await import('./import-dialog.js')).ImportDialog);

type Props = Readonly<{ selected: ReadonlySet<string>; where: OrderCondition | undefined; isSearch: boolean }>;

/** For those who may begin jobs. */
export function OrderTransferButtons({ selected, where, isSearch }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const [open, setOpen] = useState<'export' | 'import' | null>(null);
  if (!may(session, 'runs:act')) return null;
  const close = () => setOpen(null);
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen('export')}>
        {words.export}
      </Button>
      {may(session, 'orders:import') && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen('import')}>
          {words.import}
        </Button>
      )}
      {open === 'export' && <ExportDialog selected={selected} where={where} isSearch={isSearch} onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  );
}
