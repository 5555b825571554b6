// Phrases of generated conversations in English.
import type { Phrases } from './phrases.ts';

export const english: Phrases = {
  hello: 'Hello?',
  greeting: 'Hello, this is a test call. Do you have a minute?',
  business_name: 'our office',
  agent_name: 'an automated assistant',
  outbound: [
    ['Sure, what is it about?', 'I would like to confirm your appointment with {business_name} on {day}.'],
    ['A minute, yes. Go ahead.', 'Thank you. It is about your visit to {business_name} on {day}.'],
    ['Who is calling, please?', 'You are talking to {agent_name} at {business_name}. It is about your appointment.'],
  ],
  inbound: [
    ['Hello, is this {business_name}?', 'Yes, this is {business_name}.'],
    ['Hi, have I reached {business_name}?', 'You have. You are talking to {agent_name}.'],
    ['Good morning. Is that {business_name}?', 'It is, good morning. What can I do for you?'],
  ],
  exchanges: [
    ['Does {day} at {time} still work?', 'It does. I have put you down for {day} at {time}.'],
    ['What should I bring with me?', 'A photo ID will do. Everything else is on file.'],
    ['How long is it going to take?', 'Plan for about three quarters of an hour, check-in included.'],
    ['Is there parking close by?', 'There is. The lot behind the building is free for the first two hours.'],
    ['What happens if I have to cancel?', 'Nothing, as long as you let us know a day before. A text is enough.'],
    ['Can you send me a reminder?', 'Of course. You get a text on the day before, and another one an hour ahead.'],
    ['And what will that cost me?', 'The visit is covered. For anything else you get a price in writing first.'],
    ['I may be a few minutes late on {day}.', 'That is fine. If it is more than fifteen, please give us a call.'],
    ['Could we make it {day} instead?', 'One moment. Yes, {day} at {time} is free, and I have moved it.'],
    ['Sorry, I did not catch that.', 'Let me say it again. It is {day} at {time}, at {business_name}.'],
    ['Can I bring somebody along?', 'Certainly. There is room to wait, and there is coffee.'],
    ['Is there a lift in the building?', 'There is, to the left of the entrance. The door opens by itself.'],
  ],
  closings: [
    ['All right. Thank you, goodbye.', 'Thank you, goodbye.'],
    ['That was all, thanks. Bye.', 'You are welcome. Goodbye.'],
  ],
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  times: ['nine', 'half past ten', 'two', 'a quarter past three', 'half past four'],
};
