// The magic numbers of `interface.md` section 3, with what each of them leads to.

/** The last two digits of +1 NPA 555 01XX, the scenario, and how the call ends. */
export const magicNumbers: readonly [digits: string, scenario: string, outcome: string][] = [
  ['00', 'answered', 'COMPLETED null'],
  ['01', 'busy', 'BUSY busy'],
  ['02', 'no_answer', 'NO_ANSWER no_answer'],
  ['03', 'voicemail', 'VOICEMAIL voicemail_reached'],
  ['04', 'call_declined', 'FAILED call_declined'],
  ['05', 'number_unreachable', 'FAILED number_unreachable'],
  ['06', 'carrier_rejected', 'FAILED carrier_rejected'],
  ['07', 'slow_answer', 'COMPLETED null'],
  ['08', 'long_call', 'COMPLETED null'],
  ['09', 'dropped_call', 'COMPLETED null'],
  ['10', 'destination_blocked', '403 destination_blocked'],
  ['11', 'dnc_suppressed', '403 dnc_suppressed'],
  ['12', 'recipient_opted_out', '403 recipient_opted_out'],
  ['13', 'contact_automation_paused', '403 contact_automation_paused'],
  ['14', 'no_consent', '403 no_consent'],
  ['15', 'outside_call_window', '403 outside_call_window'],
  ['16', 'day_not_allowed', '403 day_not_allowed'],
  ['17', 'frequency_exceeded', '429 frequency_exceeded'],
  ['20', 'voice_usage_exhausted', '402 voice_usage_exhausted'],
  ['21', 'no_active_subscription', '402 no_active_subscription'],
  ['22', 'no_number_available', '429 no_number_available'],
  ['23', 'rate_limited', '429 rate_limited'],
  ['30', 'room_creation_failed', '502 room_creation_failed'],
  ['31', 'agent_dispatch_failed', '502 agent_dispatch_failed'],
  ['32', 'sip_gateway_failed', '502 sip_gateway_failed'],
  ['33', 'provider_api_error', '502 provider_api_error'],
  ['34', 'internal_error', '500 internal_error'],
  ['35', 'flaky_provider', '502 provider_api_error'],
];

export const smsNumbers: readonly [digits: string, scenario: string][] = [
  ['40', 'sms_delivered'],
  ['41', 'sms_failed'],
  ['42', 'sms_reply'],
  ['43', 'texting_not_ready'],
  ['44', 'texting_pending'],
  ['45', 'texting_rejected'],
  ['46', 'texting_no_sender'],
];
