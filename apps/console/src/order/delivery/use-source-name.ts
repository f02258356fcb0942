import { useQuery } from '@tanstack/react-query';
import { transferSourcesQuery } from '../../api/seat-delivery.js';

/** The name of a transfer source by its id. A source that the list no longer has keeps its id. */
export function useSourceName(): (id: string) => string {
  const { data } = useQuery(transferSourcesQuery);
  return (id) => data?.find((source) => source.id === id)?.name ?? id;
}
