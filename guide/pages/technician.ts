import type { GuidePage } from '../shape.ts'

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
          show: (page) => page.getByRole('heading', { level: 1 }),
        },
        {
          say: 'Si la oficina te devolvió un reporte, está debajo con lo que hay que rehacer.',
          show: (page) => page.getByRole('heading', { name: 'Reportes por corregir' }),
        },
        {
          say: 'En tu cuenta dices de dónde sales, pides permisos y subes tu foto y tu vehículo, que el cliente ve cuando su cita está confirmada.',
          at: '/admin/account',
          show: (page) => page.getByRole('navigation', { name: 'En esta página' }),
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
          show: (page) => page.getByRole('link', { name: 'Tu día' }),
        },
        {
          say: 'Abre una cita: ahí está el domicilio, cómo llegar y quién recibe. El día de la cita marcas “Voy en camino”, empiezas y llenas el reporte; sin señal se guarda en el teléfono y sale después.',
          at: '/admin/appointments-pending?service=technical_visit',
          follow: (page) => page.getByRole('main').getByRole('link', { name: /VT-\d/ }).first(),
          show: (page) => page.getByRole('heading', { level: 1, name: /Demo$/ }),
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
          show: (page) => page.getByRole('heading', { name: 'Citas realizadas' }),
        },
      ],
    },
  ],
}
