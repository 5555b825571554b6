// Success responses whose form differs from the contract's when a world sets an assumption to another value. The
// contract describes the default forms, so that generated clients have no optional field for a setting.
import type { Schemas } from '../contract/document.ts';

/** `texting_status` set to `null`: it is null in place of `none`. */
export type SerializedPhoneNumber = Omit<Schemas['PhoneNumber'], 'texting_status'> & {
  readonly texting_status: Schemas['PhoneNumber']['texting_status'] | null;
};

interface Answer<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
}
type Data<Content> = { readonly data: Content };

/** By operation. */
export interface OtherAnswers {
  /** `dial_response_envelope` set to `data`. */
  readonly dialCall: Answer<202, Data<Schemas['DialAccepted']>>;
  readonly createCall: Answer<202, Data<Schemas['DialAccepted']>>;
  /** `call_fields` set to `absent`: a call that has not ended has the fields of a list item. */
  readonly getCall: Answer<200, Data<Schemas['CallListItem']>>;
  /** `enterprise_absent` set to 200. */
  readonly getEnterprise: Answer<200, Data<null>>;
  /** `repeated_caller_id` set to 200. */
  readonly createCallerId: Answer<200, Data<Schemas['CallerId']>>;
  /** `subscription_response` set to `id_only`. */
  readonly createWebhookSubscription: Answer<201, Pick<Schemas['WebhookSubscription'], 'id'>>;
  readonly listPhoneNumbers: Answer<200, Data<SerializedPhoneNumber[]> & Pick<Schemas['PhoneNumberPage'], 'meta'>>;
  readonly createPhoneNumber: Answer<201, Data<SerializedPhoneNumber>>;
  readonly getPhoneNumber: Answer<200, Data<SerializedPhoneNumber>>;
  readonly updatePhoneNumber: Answer<200, Data<SerializedPhoneNumber>>;
  readonly releasePhoneNumber: Answer<200, Data<SerializedPhoneNumber>>;
  readonly setPhoneNumberCnam: Answer<200, Data<SerializedPhoneNumber>>;
}
