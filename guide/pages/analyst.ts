import { type GuidePage, part, title, words } from '../shape.ts'

export const analyst: GuidePage = {
  file: 'analista',
  title: 'Analista',
  intro: 'Llamadas, reportes, cotizaciones y comprobantes.',
  kind: 'analyst',
  as: 'analista@demo.mx',
  size: 'desk',
  sections: [
    {
      item: 'home',
      intro: 'Todo lo que espera por ti, en una lista.',
      steps: [
        {
          say: 'Arriba, cuántas cosas hay de cada tipo; abajo, lo que no puede esperar, lo más urgente primero.',
          at: '/admin',
          show: part('navigation', 'Por tipo'),
        },
        {
          say: 'Abre un reporte por revisar y apruébalo, o devuélvelo diciendo qué falta.',
          show: part('link', /^Revisar/),
        },
      ],
    },
    {
      item: 'appointments-pending',
      intro: 'Las citas que vienen; de tus asesorías abres aquí la sala.',
      steps: [
        {
          say: 'Filtra por servicio, estado, zona o persona, o busca por nombre.',
          at: '/admin/appointments-pending',
          show: words('Filtros'),
        },
        {
          say: 'Abre una asesoría: la sala abre 15 minutos antes, y tus notas se guardan mientras hablas.',
          follow: part('link', /AV-\d/),
          show: title,
        },
      ],
    },
    {
      item: 'appointments-done',
      intro: 'Las citas terminadas, con sus reportes y resúmenes.',
      steps: [
        {
          say: '“Por revisar” deja solo los reportes que esperan tu respuesta.',
          at: '/admin/appointments-done',
          show: part('link', 'Por revisar'),
        },
      ],
    },
    {
      item: 'cotizations',
      intro: 'Lo que hay que cotizar y lo que ya se envió.',
      steps: [
        {
          say: 'Arriba está lo que falta por cotizar: tócalo y se abre con los renglones que propone el reporte.',
          at: '/admin/cotizations',
          show: part('link', /^Cotizar VT/),
        },
        {
          say: 'Revisa renglones, precios y vigencia; guarda el borrador o envíala.',
          follow: part('link', /^Cotizar VT/),
          show: title,
        },
      ],
    },
    {
      item: 'clients',
      intro: 'Cada proyecto en un solo lugar (si el módulo está encendido).',
      steps: [
        {
          say: 'Busca a un cliente, o filtra por etapa y por a quién le toca.',
          at: '/admin/clients',
          show: part('heading', 'Clientes'),
        },
      ],
    },
  ],
}
