import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

type PagedList = Readonly<{ hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }>;

/** Adds the next page to a list. Nothing after the last one. */
export function MoreButton({ list, children }: Readonly<{ list: PagedList; children: ReactNode }>) {
  if (!list.hasNextPage) return null;
  return (
    <div className="row">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
