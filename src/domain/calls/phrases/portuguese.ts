// Phrases of generated conversations in Portuguese.
import type { Phrases } from './phrases.ts';

export const portuguese: Phrases = {
  hello: 'Alô?',
  greeting: 'Olá, esta é uma chamada de teste. Tem um minuto?',
  business_name: 'o nosso escritório',
  agent_name: 'um assistente automático',
  outbound: [
    ['Claro, do que se trata?', 'Gostaria de confirmar a sua consulta na {day}: {business_name}.'],
    ['Sim, pode falar.', 'Obrigado. É sobre a sua visita na {day}: {business_name}.'],
    ['Quem fala, por favor?', 'Está a falar com {agent_name}: {business_name}. É sobre a sua consulta.'],
  ],
  inbound: [
    ['Olá, é daí {business_name}?', 'Sim, {business_name}.'],
    ['Bom dia. {business_name}?', 'Sim. Está a falar com {agent_name}.'],
    ['Olá, falo com {business_name}?', 'Sim, olá. Em que posso ajudar?'],
  ],
  exchanges: [
    ['Mantém-se na {day} às {time}?', 'Sim. Ficou marcado para {day} às {time}.'],
    ['O que preciso de levar?', 'Basta um documento de identidade. O resto já temos.'],
    ['Quanto tempo vai demorar?', 'Conte com cerca de três quartos de hora, com a chegada.'],
    ['Há estacionamento por perto?', 'Há. Atrás do edifício, as duas primeiras horas são grátis.'],
    ['E se eu tiver de cancelar?', 'Não há problema, se avisar um dia antes. Basta uma mensagem.'],
    ['Pode enviar-me um lembrete?', 'Claro. Vai receber uma mensagem na véspera.'],
    ['E quanto é que vai custar?', 'A visita está incluída. Para o resto, recebe antes um preço por escrito.'],
    ['Na {day} posso chegar um pouco atrasado.', 'Não faz mal. Se forem mais de quinze minutos, ligue-nos.'],
    ['Podia ser antes na {day}?', 'Um momento. Sim, {day} às {time} está livre, e já mudei.'],
    ['Desculpe, não percebi.', 'Eu repito. É na {day} às {time}.'],
  ],
  closings: [
    ['Está bem. Obrigado, adeus.', 'Obrigado, adeus.'],
    ['Era tudo, obrigado.', 'De nada. Até logo.'],
  ],
  days: ['segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira'],
  times: ['nove', 'dez e meia', 'onze', 'três e quinze', 'quatro e meia'],
};
