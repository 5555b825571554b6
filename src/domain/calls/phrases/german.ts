// Phrases of generated conversations in German.
import type { Phrases } from './phrases.ts';

export const german: Phrases = {
  hello: 'Hallo?',
  greeting: 'Guten Tag, das ist ein Testanruf. Haben Sie eine Minute Zeit?',
  business_name: 'unser Büro',
  agent_name: 'eine automatische Assistenz',
  outbound: [
    ['Ja, worum geht es denn?', 'Ich möchte Ihren Termin am {day} bestätigen: {business_name}.'],
    ['Ja, ich höre.', 'Danke. {business_name}: Es geht um Ihren Besuch am {day}.'],
    ['Wer spricht denn da?', 'Hier ist {agent_name}: {business_name}. Es geht um Ihren Termin.'],
  ],
  inbound: [
    ['Hallo, ist dort {business_name}?', 'Ja, {business_name}.'],
    ['Guten Tag. {business_name}?', 'Ja. Hier spricht {agent_name}.'],
    ['Guten Morgen, bin ich richtig bei {business_name}?', 'Ja, guten Morgen. Was kann ich für Sie tun?'],
  ],
  exchanges: [
    ['Bleibt es bei {day} um {time}?', 'Ja. Ich habe Sie für {day} um {time} eingetragen.'],
    ['Was muss ich mitbringen?', 'Ein Ausweis genügt. Alles andere liegt uns vor.'],
    ['Wie lange wird es dauern?', 'Rechnen Sie mit einer Dreiviertelstunde, die Anmeldung eingeschlossen.'],
    ['Kann man in der Nähe parken?', 'Ja. Hinter dem Haus sind die ersten zwei Stunden frei.'],
    ['Und wenn ich absagen muss?', 'Kein Problem, wenn Sie am Tag vorher Bescheid geben. Eine Nachricht genügt.'],
    ['Können Sie mich erinnern?', 'Natürlich. Sie bekommen am Tag vorher eine Nachricht.'],
    ['Und was wird das kosten?', 'Der Besuch ist abgedeckt. Für alles Weitere bekommen Sie vorher einen Preis.'],
    ['Am {day} komme ich vielleicht etwas später.', 'Das macht nichts. Ab fünfzehn Minuten rufen Sie bitte an.'],
    ['Ginge es auch am {day}?', 'Einen Moment. Ja, {day} um {time} ist frei, und ich habe es geändert.'],
    ['Entschuldigung, das habe ich nicht verstanden.', 'Ich wiederhole es gern. Es bleibt bei {day} um {time}.'],
  ],
  closings: [
    ['In Ordnung. Danke, auf Wiederhören.', 'Danke, auf Wiederhören.'],
    ['Das war alles, vielen Dank.', 'Gern geschehen. Auf Wiederhören.'],
  ],
  days: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag'],
  times: ['neun Uhr', 'halb elf', 'zwölf Uhr', 'Viertel nach drei', 'halb fünf'],
};
