import { type GuidePage, inMain, part, title } from '../shape.ts'

export const gester: GuidePage = {
  file: 'gestor-ante-cfe',
  title: 'Gestor ante CFE',
  intro: 'Los trámites ante CFE, sus papeles y sus fechas.',
  kind: 'gester',
  as: 'gestor@demo.mx',
  size: 'desk',
  sections: [
    {
      item: 'home',
      intro: 'Lo que te toca hoy.',
      steps: [
        {
          say: 'Aquí ves los trámites que esperan por ti.',
          at: '/admin',
          show: title,
        },
      ],
    },
    {
      item: 'gesties',
      intro: 'Todos los trámites, con su estado y a quién le toca (si el módulo está encendido).',
      steps: [
        {
          say: 'Cada renglón dice en qué va el trámite, a quién le toca y desde cuándo.',
          at: '/admin/gesties',
          show: part('heading', 'Gestorías'),
        },
        {
          say: 'Abre uno: marca los papeles que llegaron, descarga la solicitud y la carta poder, y anota cada paso ante CFE.',
          follow: inMain('link', /GES-\d/),
          show: title,
        },
      ],
    },
    {
      item: 'clients',
      intro: 'Los proyectos que tienen o necesitan un trámite, sin precios (si el módulo está encendido).',
      steps: [
        {
          say: 'Busca a un cliente para ver su domicilio, su reporte y su trámite.',
          at: '/admin/clients',
          show: part('heading', 'Clientes'),
        },
      ],
    },
  ],
}
