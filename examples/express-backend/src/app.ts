// A backend that calls people to remind them of an appointment, and hears by webhook how it went.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import express, { type Express } from 'express';

export interface Options {
  /** Where the Voice Platform API is, and the key for it. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

type Outcome = 'calling' | 'reached' | 'call again';

const FROM_NUMBER = '+14155550190';
const ATTEMPTS = 3;

export function createApp({ apiUrl, apiKey, signingSecret }: Options): Express {
  const reminders = new Map<string, Outcome>();
  const numbers: string[] = [];
  const app = express();

  app.post('/reminders', express.json(), async (req, res) => {
    const call = await dial(req.body.phone_number);
    if ('error' in call) {
      res.status(422).json({ reason: call.error.code });
      return;
    }
    reminders.set(call.call_id, 'calling');
    res.status(201).json({ id: call.call_id });
  });

  app.get('/reminders/:id', (req, res) => {
    res.json({ outcome: reminders.get(req.params.id) });
  });

  app.get('/numbers', (_req, res) => {
    res.json(numbers);
  });

  app.post('/webhooks/call_completed', express.json(), (req, res) => {
    reminders.set(req.body.id, req.body.status === 'COMPLETED' ? 'reached' : 'call again');
    res.sendStatus(200);
  });

  // The signature is that of the raw bytes, so they are parsed only after it was checked.
  app.post('/webhooks/number_purchased', express.raw({ type: '*/*' }), (req, res) => {
    if (!isSigned(req.body, req.get('X-service-Signature-256'))) {
      res.sendStatus(401);
      return;
    }
    numbers.push(JSON.parse(req.body.toString()).payload.phone_number);
    res.sendStatus(200);
  });

  /** Repeats what a gateway has failed; the idempotency key keeps a person from being called twice. */
  async function dial(to: string): Promise<{ call_id: string } | { error: { code: string } }> {
    const request = {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify({ from_number: FROM_NUMBER, to_number: to }),
    };
    let response = await fetch(`${apiUrl}/v1/calls/dial`, request);
    for (let attempt = 1; response.status === 502 && attempt < ATTEMPTS; attempt++) {
      response = await fetch(`${apiUrl}/v1/calls/dial`, request);
    }
    return response.json() as Promise<{ call_id: string } | { error: { code: string } }>;
  }

  function isSigned(body: Buffer, signature = ''): boolean {
    const expected = createHmac('sha256', signingSecret).update(body).digest('hex');
    return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  }

  return app;
}
