import { type GuidePage, inMain, part } from '../shape.ts'

export const ally: GuidePage = {
  file: 'aliado-consecionaria',
  title: 'Aliado consecionaria',
  intro: 'Tus clientes, tus códigos y lo que gana tu concesionaria.',
  kind: 'alliate',
  as: 'aliado@demo.mx',
  size: 'desk',
  sections: [
    {
      item: 'home',
      intro: 'Cómo van tus clientes.',
      steps: [
        {
          say: 'Cada etapa lleva a los clientes que están en ella.',
          at: '/admin',
          show: part('heading', 'Tus clientes por etapa'),
        },
        {
          say: 'En “Ver por mes” están los estados de cuenta de las comisiones, para descargar.',
          show: part('link', 'Ver por mes'),
        },
      ],
    },
    {
      item: 'alliate-clients',
      intro: 'Las personas que llegaron por tu concesionaria.',
      steps: [
        {
          say: 'La lista dice la etapa de cada quien, a quién le toca y su próxima cita.',
          at: '/admin/alliate/clients',
          show: part('table', 'Clientes'),
        },
        {
          say: '“Registrar cliente” toma un minuto en el mostrador: nombre, teléfono, auto y su consentimiento. Le llega un enlace.',
          follow: inMain('link', 'Registrar cliente'),
        },
      ],
    },
    {
      item: 'alliate-codes',
      intro:
        'Códigos que tus clientes escriben para que cuenten contigo y, si lo acuerdas, con un beneficio.',
      steps: [
        {
          say: 'Abre “Nuevo código”, acepta el texto que se propone o escribe el tuyo, y guárdalo.',
          at: '/admin/alliate/codes',
          press: part('button', 'Nuevo código'),
          show: part('dialog', /./),
        },
        {
          say: 'Compártelo por WhatsApp, o imprime la tarjeta del mostrador con su QR.',
          at: '/admin/alliate/codes',
          press: part('button', 'Compartir PRUEBA22'),
          show: part('dialog', /./),
        },
      ],
    },
  ],
}
