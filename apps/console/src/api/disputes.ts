import { queryOptions } from '@tanstack/react-query';
import type { Dispute, DisputeClosing, EvidenceToSend, NewDispute } from '#money/dispute.contract';
import { ask } from './http.js';

// What the provider tells of it is not announced to pages.
const EVERY_MS = 5_000;

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dispute', id],
    queryFn: ({ signal }) => ask('GET disputes/{id}', { path: { id }, signal }),
    refetchInterval: EVERY_MS,
  });

export const openDispute = (orderId: string, body: NewDispute): Promise<Dispute> =>
  ask('POST orders/{id}/disputes', { path: { id: orderId }, body });

export const sendEvidence = (id: string, body: EvidenceToSend): Promise<Dispute> =>
  ask('POST disputes/{id}/evidence', { path: { id }, body });

export const acceptDispute = (id: string): Promise<Dispute> => ask('POST disputes/{id}/accept', { path: { id } });

export const closeDispute = (id: string, body: DisputeClosing): Promise<Dispute> =>
  ask('POST disputes/{id}/close', { path: { id }, body });
