// Phrases of generated conversations in French.
import type { Phrases } from './phrases.ts';

export const french: Phrases = {
  hello: 'Allô ?',
  greeting: 'Bonjour, ceci est un appel de test. Avez-vous une minute ?',
  business_name: 'notre bureau',
  agent_name: 'un assistant automatique',
  outbound: [
    ['Oui, de quoi s’agit-il ?', 'Je voudrais confirmer votre rendez-vous de {day} : {business_name}.'],
    ['Oui, je vous écoute.', 'Merci. C’est {business_name}, au sujet de votre visite de {day}.'],
    ['Qui est à l’appareil ?', 'Vous parlez à {agent_name} : {business_name}. C’est pour votre rendez-vous.'],
  ],
  inbound: [
    ['Bonjour, c’est bien {business_name} ?', 'Oui, c’est {business_name}.'],
    ['Allô, {business_name} ?', 'Oui. Vous parlez à {agent_name}.'],
    ['Bonjour. Je suis bien chez {business_name} ?', 'Oui, bonjour. Que puis-je faire pour vous ?'],
  ],
  exchanges: [
    ['Est-ce que {day} à {time} convient toujours ?', 'Oui. Je vous ai inscrit pour {day} à {time}.'],
    ['Que dois-je apporter ?', 'Une pièce d’identité suffit. Nous avons tout le reste.'],
    ['Combien de temps cela prend-il ?', 'Comptez trois quarts d’heure, accueil compris.'],
    ['Peut-on se garer à côté ?', 'Oui. Derrière le bâtiment, les deux premières heures sont gratuites.'],
    ['Et si je dois annuler ?', 'Ce n’est rien si vous nous prévenez la veille. Un message suffit.'],
    ['Pouvez-vous m’envoyer un rappel ?', 'Bien sûr. Vous recevrez un message la veille.'],
    ['Et cela va me coûter combien ?', 'La visite est comprise. Pour le reste, vous aurez un prix par écrit.'],
    ['J’aurai peut-être un peu de retard {day}.', 'Pas de souci. Au-delà de quinze minutes, appelez-nous.'],
    ['Serait-il possible de venir {day} ?', 'Un instant. Oui, {day} à {time} est libre, et c’est noté.'],
    ['Pardon, je n’ai pas bien entendu.', 'Je répète. C’est {day} à {time}, et l’adresse : {business_name}.'],
  ],
  closings: [
    ['Très bien. Merci, au revoir.', 'Merci à vous, au revoir.'],
    ['C’est tout, merci.', 'Je vous en prie. Au revoir.'],
  ],
  days: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi'],
  times: ['neuf heures', 'dix heures et demie', 'quatorze heures', 'quinze heures', 'seize heures trente'],
};
