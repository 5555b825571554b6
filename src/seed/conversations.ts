// What people say on generated calls, line by line: whoever calls, why, and how it ends. The agent's own words (its
// greeting, its business) are put in when a transcript is read.
import type { TranscriptLine } from '../model.ts';

/** What a conversation is about. */
export interface Topic {
  readonly first_name: string;
  readonly full_name: string;
  readonly street: string;
  readonly city: string;
  /** As in "Leak repair". */
  readonly service: string;
  /** As in "there is water under the sink". */
  readonly problem: string;
  /** The appointment's day and time as people say them; the new ones where it is moved. */
  readonly when: string;
  readonly later: string;
  /** Which of several ways to put a thing. */
  readonly one: <T>(of: readonly T[]) => T;
  /** Whether something comes up that need not. */
  readonly perhaps: () => boolean;
}

const agent = (text: string): TranscriptLine => ({ role: 'agent', text, interrupted: false });
const user = (text: string): TranscriptLine => ({ role: 'user', text, interrupted: false });

type Conversation = (topic: Topic) => readonly TranscriptLine[];

const greeted = agent('{greeting}');

const askedPrice: Conversation = ({ one }) => [
  user(one(['And what is that going to cost me?', 'Do you charge for coming out?', 'What are your rates?'])),
  agent(
    one([
      'The visit is ninety five dollars, and that goes towards the repair if you go ahead with it.',
      'You get a fixed price before any work begins. The visit itself is ninety five dollars.',
    ]),
  ),
  user(one(['All right, that is fair.', 'Okay, that works for me.'])),
];

const askedParking: Conversation = ({ one }) => [
  agent(one(['Is there somewhere to park close by?', 'Is there anything that the technician should know beforehand?'])),
  user(
    one([
      'There is a driveway, and the side gate is open.',
      'Street parking only, but there is usually space before noon.',
      'We have a dog. She is friendly, just loud.',
      'Please ring the upper bell, the lower one does not work.',
    ]),
  ),
  agent('Thank you, I have noted that.'),
];

export const conversations = {
  /** Someone calls and gets an appointment. */
  booked: (topic) => [
    greeted,
    user(
      topic.one([
        `Hi, this is ${topic.full_name}. I hope you can help, ${topic.problem}.`,
        `Hello, I am calling because ${topic.problem}.`,
        `Hello, my name is ${topic.full_name}. It looks like ${topic.problem}.`,
      ]),
    ),
    agent(
      topic.one([
        'I am sorry to hear that. How long has it been like this?',
        'Let us get that looked at. When did it begin?',
      ]),
    ),
    user(
      topic.one(['Since yesterday evening.', 'About a week, and it is getting worse.', 'I noticed it this morning.']),
    ),
    agent(`That sounds like a ${topic.service.toLowerCase()}. May I have your name and the address?`),
    user(`${topic.full_name}, ${topic.street}, in ${topic.city}.`),
    ...(topic.perhaps() ? askedParking(topic) : []),
    ...(topic.perhaps() ? askedPrice(topic) : []),
    agent(`I can send someone ${topic.when}. Does that suit you?`),
    user(topic.one(['Yes, that is perfect.', 'That works.', 'Yes please, I will be at home.'])),
    agent(`Wonderful. You are booked ${topic.when} with {business_name}. Anything else that I can do?`),
    user(topic.one(['No, that is all. Thank you so much.', 'That was it, thanks. Bye.'])),
    agent(`Thank you for calling, ${topic.first_name}. Goodbye.`),
  ],

  /** Someone calls with a question and leaves it at that. */
  asked: (topic) => [
    greeted,
    ...topic.one<readonly TranscriptLine[]>([
      [
        user('Hi, are you open on Saturdays?'),
        agent('We are. Technicians are out from eight to four on Saturdays, and all day on weekdays.'),
        user('And do you come out to the hills as well?'),
        agent(`We do. Is it about something in ${topic.city}?`),
        user('Yes, but it can wait until my husband is back. I will call again.'),
      ],
      [
        user(`Hello, I wanted to know what a ${topic.service.toLowerCase()} usually costs.`),
        agent('Most of them come to between one hundred and eighty and four hundred dollars, parts included.'),
        user('Hm, okay. And is the visit on top of that?'),
        agent(
          'The visit is ninety five dollars, and it goes towards the repair. Would you like me to find you a time?',
        ),
        user('Not today, I have to talk to my landlord first.'),
      ],
      [
        user('Hey, did you get the pictures that I sent in last night?'),
        agent('They have arrived, and a technician is going to look at them.'),
        user('Great. Will someone call me back about it?'),
        agent('Yes, within a day, on the number that you are calling from.'),
        user('Perfect, that is all I wanted to know.'),
      ],
      [
        user('Hello, I still have not seen a bill for the last visit. Can you send it again?'),
        agent('I can. Shall it go to the e-mail address that we have for you?'),
        user('Yes please, the same one.'),
        agent('It is on its way. Do look into the spam folder if it does not show up.'),
        user('I will, thanks.'),
      ],
      [
        user(`Do you still have anything free this week? It is about a ${topic.service.toLowerCase()}.`),
        agent('There is something left, mostly in the afternoons. Shall I put you down?'),
        user('I have to ask at work first. How late can I call?'),
        agent('You can call at any hour; somebody always picks up.'),
        user('Nice. Then I will try again tonight.'),
      ],
    ]),
    agent(topic.one(['Gladly. Have a good day.', 'Of course. Call us any time.'])),
  ],

  /** A caller moves an appointment that there is. */
  moved: (topic) => [
    greeted,
    user(`Hi, it is ${topic.full_name}. I have an appointment ${topic.when}, and something has come up.`),
    agent(`No problem, ${topic.first_name}. I see the ${topic.service.toLowerCase()}. Shall we find another time?`),
    user(topic.one(['Yes please, some time after that.', 'If you have anything later, yes.'])),
    agent(`How about ${topic.later}?`),
    user(topic.one(['That is better, yes.', 'Yes, I can make that.'])),
    agent(`Then it is ${topic.later}. You will get a message that confirms it.`),
    user('Thanks for being so easy about it. Bye.'),
    agent('You are welcome. Goodbye.'),
  ],

  /** A caller calls an appointment off. */
  called_off: (topic) => [
    greeted,
    user(`This is ${topic.full_name}. I have to cancel the appointment ${topic.when}.`),
    agent(
      `I am sorry that it does not work out. May I ask whether the ${topic.service.toLowerCase()} is still needed?`,
    ),
    user(
      topic.one(['No, my brother in law could fix it.', 'We are selling the place, so it is not ours to do any more.']),
    ),
    agent('Understood, it is canceled, and there is nothing to pay.'),
    user('Thank you, goodbye.'),
  ],

  /** An agent calls about an appointment on the next working day. */
  reminded: (topic) => [
    user(topic.one(['Hello?', `${topic.first_name} speaking.`, 'Yes, hello?'])),
    greeted,
    user(topic.one(['Oh, right. When was that again?', 'Yes, about that visit.', 'Sure, go ahead.'])),
    agent(
      `We have you down for a ${topic.service.toLowerCase()} ${topic.when}, at ${topic.street}. Is that still good?`,
    ),
    user(topic.one(['Yes, someone will be here.', 'That still works, yes.', 'It is. I have taken the day off.'])),
    ...(topic.perhaps() ? askedParking(topic) : []),
    agent(`Wonderful. The technician calls when they are on the way. Thank you, ${topic.first_name}, and goodbye.`),
    user(topic.one(['Thanks, bye.', 'See you then.'])),
  ],

  /** An agent asks after a visit that is over. */
  followed_up: (topic) => [
    user(topic.one(['Hello?', `Hi, this is ${topic.first_name}.`])),
    greeted,
    user('Okay.'),
    agent(`We were at your place for the ${topic.service.toLowerCase()}. Is everything working as it should?`),
    ...topic.one<readonly TranscriptLine[]>([
      [
        user('It is, thank you. He was quick and left the place clean.'),
        agent('I am glad to hear it, and I will pass that on.'),
      ],
      [
        user('Mostly. It still makes a noise in the morning, but only for a minute.'),
        agent('That can happen in the first days. If it has not gone by Friday, call us, and we come by at no charge.'),
        user('Good to know.'),
      ],
      [
        user('So far so good. The bill was what you had said, too.'),
        agent('That is what we want. Thank you for telling me.'),
      ],
    ]),
    agent(topic.one(['Have a good day.', 'Thank you for choosing {business_name}. Goodbye.'])),
  ],

  /** An agent calls someone who then books. */
  taken_up: (topic) => [
    user(topic.one(['Hello?', `Hello, ${topic.first_name} speaking.`])),
    greeted,
    user(`That is good timing, because ${topic.problem}.`),
    agent(
      `Then let us not wait with the ${topic.service.toLowerCase()}. Are you still at ${topic.street} in ${topic.city}?`,
    ),
    user('Still there, yes.'),
    ...(topic.perhaps() ? askedPrice(topic) : []),
    agent(`I have a technician free ${topic.when}. Shall I put you down?`),
    user(topic.one(['Please do.', 'Yes, that would be great.'])),
    ...(topic.perhaps() ? askedParking(topic) : []),
    agent(`Done. You are booked ${topic.when}. Goodbye, ${topic.first_name}.`),
    user('Thank you, bye.'),
  ],

  /** An agent calls someone who has asked about the business, or been with it before. */
  offered: (topic) => [
    user(topic.one(['Hello?', 'Yes?', `${topic.first_name} here.`])),
    greeted,
    ...topic.one<readonly TranscriptLine[]>([
      [
        user('I am in the middle of something. Can you make it short?'),
        agent('Of course. It has been a while since your last check, and there are times free next week.'),
        user('Try me again next month, please.'),
        agent('I will make a note of it. Thank you, and goodbye.'),
      ],
      [
        user('Ah yes, I filled in that form on your website.'),
        agent(`You did, about a ${topic.service.toLowerCase()}. Is that still something you want done?`),
        user('It is, but I want to get a second offer first.'),
        agent('That makes sense. You can reach us on this number whenever you have decided.'),
        user('Thanks, I will.'),
      ],
      [user('No thank you, we are not interested.'), agent('I understand. Thank you for your time, and goodbye.')],
    ]),
  ],
} as const satisfies Record<string, Conversation>;
