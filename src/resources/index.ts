// The table of contents: every operation of the contract, and the function that answers it.
import type { OperationId } from '../contract/document.ts';
import type { Operation } from '../engine/operation.ts';
import { getAccount, getMe } from './account.ts';
import { createAgentWebCall, getAgent, listAgents, updateAgent } from './agents.ts';
import { listAppointments } from './appointments.ts';
import { createCallerId, deleteCallerId, listCallerIds, verifyCallerId } from './caller-ids.ts';
import { dialCall, getCall, getCallTranscript, hangupCall, listCalls } from './calls.ts';
import { getContact, listContacts } from './contacts.ts';
import { listPhoneNumbers } from './phone-numbers.ts';
import { createSubEntity, getSubEntity, listSubEntities, updateSubEntity } from './sub-entities.ts';
import { getUsage } from './usage.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  listWebhookSubscriptions,
} from './webhook-subscriptions.ts';

export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  getAccount,
  getMe,
  listAgents,
  getAgent,
  updateAgent,
  createAgentWebCall,
  listAppointments,
  listCallerIds,
  createCallerId,
  verifyCallerId,
  deleteCallerId,
  dialCall,
  listCalls,
  getCall,
  hangupCall,
  getCallTranscript,
  listContacts,
  getContact,
  listPhoneNumbers,
  listSubEntities,
  createSubEntity,
  getSubEntity,
  updateSubEntity,
  getUsage,
  listWebhookSubscriptions,
  createWebhookSubscription,
  deleteWebhookSubscription,
};
