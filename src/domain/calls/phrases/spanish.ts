// Phrases of generated conversations in Spanish.
import type { Phrases } from './phrases.ts';

export const spanish: Phrases = {
  hello: '¿Diga?',
  greeting: 'Hola, esta es una llamada de prueba. ¿Tiene un minuto?',
  business_name: 'nuestra oficina',
  agent_name: 'un asistente automático',
  outbound: [
    ['Claro, ¿de qué se trata?', 'Quisiera confirmar su cita con {business_name} el {day}.'],
    ['Sí, dígame.', 'Gracias. Es por su visita a {business_name} el {day}.'],
    ['¿Quién llama, por favor?', 'Habla con {agent_name}, de {business_name}. Es por su cita.'],
  ],
  inbound: [
    ['Hola, ¿hablo con {business_name}?', 'Sí, aquí {business_name}.'],
    ['Buenas, ¿es {business_name}?', 'Así es. Habla con {agent_name}.'],
    ['Buenos días. ¿{business_name}?', 'Sí, buenos días. ¿Qué puedo hacer por usted?'],
  ],
  exchanges: [
    ['¿Sigue en pie el {day} a las {time}?', 'Sí. Le he apuntado para el {day} a las {time}.'],
    ['¿Qué tengo que llevar?', 'Basta con un documento de identidad. Lo demás ya lo tenemos.'],
    ['¿Cuánto tiempo va a durar?', 'Cuente con unos tres cuartos de hora, con la llegada incluida.'],
    ['¿Se puede aparcar cerca?', 'Sí. Detrás del edificio, las dos primeras horas son gratis.'],
    ['¿Y si tengo que cancelar?', 'No pasa nada si nos avisa un día antes. Basta un mensaje.'],
    ['¿Me puede mandar un recordatorio?', 'Por supuesto. Recibirá un mensaje el día anterior.'],
    ['¿Y cuánto me va a costar?', 'La visita está incluida. Lo demás se lo damos antes por escrito.'],
    ['Puede que el {day} llegue un poco tarde.', 'No hay problema. Si son más de quince minutos, llámenos.'],
    ['¿Podría ser mejor el {day}?', 'Un momento. Sí, el {day} a las {time} está libre, y ya lo he cambiado.'],
    ['Perdone, no le he entendido.', 'Se lo repito. Es el {day} a las {time}, en {business_name}.'],
  ],
  closings: [
    ['De acuerdo. Gracias, adiós.', 'Gracias a usted, adiós.'],
    ['Eso era todo, gracias.', 'De nada. Hasta luego.'],
  ],
  days: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes'],
  times: ['nueve', 'diez y media', 'doce', 'cuatro y cuarto', 'cinco y media'],
};
