// The table of contents: every operation of the contract and its implementation.
import type { OperationId } from '../contract/document.ts';
import type { Implementation, RunnableOperation } from '../engine/operation.ts';
import { getAccount, getMe } from './account.ts';
import { createAgentWebCall, getAgent, listAgents, updateAgent } from './agents.ts';
import { listAppointments } from './appointments.ts';
import { createBrand, createBrandCampaign, getBrand, listBrandCampaigns } from './brand.ts';
import { createCallerId, deleteCallerId, listCallerIds, verifyCallerId } from './caller-ids.ts';
import { createCall, dialCall, getCall, getCallTranscript, hangupCall, listCalls } from './calls.ts';
import { getContact, listContacts } from './contacts.ts';
import { createDisplayIdentity, listDisplayIdentities } from './display-identities.ts';
import { getDocument, uploadDocument } from './documents.ts';
import {
  createEnterprise,
  generateLoa,
  getEnterprise,
  signAndSubmitEnterprise,
  submitEnterprise,
  updateEnterprise,
} from './enterprise.ts';
import { cancelJob, createJob, getJob, listJobs, pauseJob, resumeJob } from './jobs.ts';
import { createLead } from './leads.ts';
import {
  createPhoneNumber,
  getPhoneNumber,
  listAvailablePhoneNumbers,
  listPhoneNumbers,
  releasePhoneNumber,
  setPhoneNumberCnam,
  updatePhoneNumber,
} from './phone-numbers.ts';
import { createRemediation, getRemediation, listRemediations } from './remediations.ts';
import { listReputationNumbers } from './reputation.ts';
import { getMessage, listMessages, sendMessage } from './sms.ts';
import { createSubEntity, getSubEntity, listSubEntities, updateSubEntity } from './sub-entities.ts';
import { createClientToken, createRoomToken, createWebrtcToken } from './tokens.ts';
import { getUsage } from './usage.ts';
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  listWebhookSubscriptions,
} from './webhook-subscriptions.ts';

const operations: { readonly [Id in OperationId]: Implementation<Id> } = {
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
  uploadDocument,
  getDocument,
  getEnterprise,
  createEnterprise,
  updateEnterprise,
  generateLoa,
  submitEnterprise,
  signAndSubmitEnterprise,
  listReputationNumbers,
  listRemediations,
  createRemediation,
  getRemediation,
  listDisplayIdentities,
  createDisplayIdentity,
  dialCall,
  createCall,
  listCalls,
  getCall,
  hangupCall,
  getCallTranscript,
  listContacts,
  getContact,
  listJobs,
  createJob,
  getJob,
  pauseJob,
  resumeJob,
  cancelJob,
  createLead,
  listPhoneNumbers,
  createPhoneNumber,
  listAvailablePhoneNumbers,
  getPhoneNumber,
  updatePhoneNumber,
  releasePhoneNumber,
  setPhoneNumberCnam,
  listMessages,
  sendMessage,
  getMessage,
  getBrand,
  createBrand,
  listBrandCampaigns,
  createBrandCampaign,
  listSubEntities,
  createSubEntity,
  getSubEntity,
  updateSubEntity,
  createWebrtcToken,
  createClientToken,
  createRoomToken,
  getUsage,
  listWebhookSubscriptions,
  createWebhookSubscription,
  deleteWebhookSubscription,
};

/** The implementation of an operation. */
export function operationFor(id: OperationId): RunnableOperation {
  return operations[id];
}
