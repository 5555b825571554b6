// The life of an uploaded document: its antivirus scan decides its verification (`spec.md` "Document"; the values are
// the ledger's, document_status and av_scan_status). What the platform makes itself is verified from the start.
import { z } from 'zod';
import type { Row } from '../model.ts';
import type { Lifecycle } from './lifecycle.ts';

type Document = Row<'documents'>;

export const documentLifecycle: Lifecycle<'documents'> = {
  kind: 'document',
  table: 'documents',
  initial: 'pending',
  created: [],
  terminal: ['verified', 'denied'],
  status: (document) => document.status as string,
  withStatus: (document, status) => ({ ...document, status: status as Document['status'] }),
  triggers: { clean: z.strictObject({}), infected: z.strictObject({}) },
  transitions: {
    pending: {
      clean: { to: 'verified', set: () => ({ av_scan_status: 'scanned' }) },
      infected: { to: 'denied', set: () => ({ av_scan_status: 'infected' }) },
    },
    verified: {},
    denied: {},
  },
};
