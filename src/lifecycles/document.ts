// The life of an uploaded document: its antivirus scan decides its verification (`spec.md` "Document"; the values are
// the assumptions document_status and av_scan_status). What the platform makes itself is verified from the start.
import { noInput } from './forms.ts';
import type { Lifecycle } from './lifecycle.ts';

export const documentLifecycle: Lifecycle<'documents'> = {
  table: 'documents',
  kind: 'document',
  initial: 'pending',
  terminal: ['verified', 'denied'],
  status: (document) => document.status,
  withStatus: (document, status) => ({ ...document, status }),
  inputs: { clean: noInput, infected: noInput },
  transitions: {
    pending: {
      clean: { to: 'verified', set: () => ({ av_scan_status: 'scanned' }) },
      infected: { to: 'denied', set: () => ({ av_scan_status: 'infected' }) },
    },
    verified: {},
    denied: {},
  },
};
