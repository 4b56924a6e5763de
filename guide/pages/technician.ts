import { type GuidePage, inMain, part, title } from '../shape.ts'

export const technician: GuidePage = {
  file: 'tecnico-instalador',
  title: 'Técnico instalador',
  intro: 'Tu día en el teléfono, también donde no hay señal.',
  kind: 'tecnician',
  as: 'tecnico@demo.mx',
  size: 'phone',
  sections: [
    {
      item: 'home',
      intro: 'Lo que sigue y lo que te devolvieron.',
      steps: [
        {
          say: 'La tarjeta es tu próxima cita: con quién, dónde, cuándo salir, y un botón para el paso que sigue.',
          at: '/admin',
          show: title,
        },
        {
          say: 'Si la oficina te devolvió un reporte, está debajo con lo que hay que rehacer.',
          show: part('heading', 'Reportes por corregir'),
        },
        {
          say: 'En tu cuenta dices de dónde sales, pides permisos y subes tu foto y tu vehículo, que el cliente ve cuando su cita está confirmada.',
          at: '/admin/account',
          show: part('navigation', 'En esta página'),
        },
      ],
    },
    {
      item: 'appointments-pending',
      intro: 'Tus citas confirmadas.',
      steps: [
        {
          say: 'Mira tu día o tu semana, en orden y con los traslados.',
          at: '/admin/appointments-pending',
          show: part('link', 'Tu día'),
        },
        {
          say: 'Abre una cita: ahí está el domicilio, cómo llegar y quién recibe. El día de la cita marcas “Voy en camino”, empiezas y llenas el reporte; sin señal se guarda en el teléfono y sale después.',
          at: '/admin/appointments-pending?service=technical_visit',
          follow: inMain('link', /VT-\d/),
          show: part('heading', /Demo$/),
        },
      ],
    },
    {
      item: 'appointments-done',
      intro: 'Lo que ya hiciste, con tu reporte.',
      steps: [
        {
          say: 'Busca una cita terminada y ábrela para ver lo que reportaste y si la oficina lo aprobó.',
          at: '/admin/appointments-done',
          show: part('heading', 'Citas realizadas'),
        },
      ],
    },
  ],
}
