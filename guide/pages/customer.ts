import type { GuidePage } from '../shape.ts'

export const customer: GuidePage = {
  file: 'cliente',
  title: 'Cliente',
  intro: 'De tu registro al cargador en tu casa: qué hace cada parte y a quién le toca.',
  kind: null,
  as: 'cliente@demo.mx',
  size: 'phone',
  sections: [
    {
      item: 'home',
      intro: 'Aquí ves siempre en qué va tu instalación, a quién le toca y qué puedes hacer ahora.',
      steps: [
        {
          say: 'La línea de etapas dice en qué vas; debajo, a quién le toca y desde cuándo.',
          at: '/',
          show: (page) => page.getByRole('heading', { name: 'Registro', level: 2 }),
        },
        {
          say: 'El botón es lo único que te toca hacer ahora. Tócalo para seguir.',
          show: (page) => page.getByRole('main').getByRole('link', { name: 'Agendar visita' }),
        },
        {
          say: 'En “Mi cuenta” cambias tu nombre, teléfono y contraseña, descargas tus datos o pides borrar tu cuenta.',
          at: '/cuenta',
        },
      ],
    },
    {
      item: 'address',
      intro: 'El domicilio donde va el cargador.',
      steps: [
        {
          say: 'Escribe tu código postal: la alcaldía o municipio se elige solo.',
          at: '/address',
          show: (page) => page.getByLabel('Código postal'),
        },
        {
          say: 'Completa lo demás y toca “Guardar”.',
          show: (page) => page.getByRole('button', { name: 'Guardar' }),
        },
      ],
    },
    {
      item: 'videocall',
      intro: 'Una videollamada con un analista para resolver dudas antes de decidir.',
      steps: [
        {
          say: 'Toca “Agendar asesoría”.',
          at: '/videocall',
          show: (page) => page.getByRole('main').getByRole('link', { name: 'Agendar asesoría' }),
        },
        {
          say: 'Elige de qué quieres hablar, el día y la hora. La sala abre 15 minutos antes, en esta misma página.',
          at: '/agenda-videocall',
        },
      ],
    },
    {
      item: 'technics-visit',
      intro: 'Un técnico revisa tu instalación eléctrica y el lugar del cargador.',
      as: 'cliente2@demo.mx',
      steps: [
        {
          say: 'Elige un día con horarios libres y una hora: todos los que ves se pueden cumplir.',
          at: '/technics-visit',
          follow: (page) => page.getByRole('link', { name: 'Cambiar de hora' }),
        },
        {
          say: 'Tu cita queda aquí, con su folio. Puedes cambiarla de hora o cancelarla.',
          at: '/technics-visit',
          show: (page) => page.getByRole('link', { name: 'Cambiar de hora' }),
        },
      ],
    },
    {
      item: 'quote',
      intro: 'Después de la visita recibes una cotización con una a tres opciones.',
      as: 'cliente4@demo.mx',
      steps: [
        {
          say: 'Elige una opción: se abre lo que incluye y lo que puedes agregar. Los precios llevan IVA.',
          at: '/quote',
          show: (page) => page.getByRole('group', { name: 'Elige tu opción' }).getByText('Recomendada'),
        },
        {
          say: 'Para aceptarla escribe tu nombre y toca “Aceptar cotización”. También puedes pedir cambios.',
          show: (page) => page.getByRole('button', { name: 'Aceptar cotización' }),
        },
      ],
    },
    {
      item: 'installation',
      intro: 'Lo que falta antes de instalar, la cita y, al final, tu documento de entrega y la garantía.',
      as: 'cliente3@demo.mx',
      steps: [
        {
          say: 'Cuando todo está listo, toca “Agendar instalación”. Si falta algo, aquí dice qué y cómo darlo.',
          at: '/installation',
          show: (page) => page.getByRole('main').getByRole('link', { name: 'Agendar instalación' }),
        },
      ],
    },
    {
      item: 'payments',
      intro: 'Lo que has pagado, lo que sigue y tus facturas.',
      as: 'cliente5@demo.mx',
      steps: [
        {
          say: 'Haz la transferencia con los datos que aparecen aquí.',
          at: '/payments',
          show: (page) => page.getByRole('heading', { name: 'Anticipo' }),
        },
        {
          say: 'Luego abre “Ya transferí” y sube tu comprobante con la clave de rastreo.',
          act: (page) => page.getByText('Ya transferí: subir mi comprobante').click(),
          show: (page) => page.getByText('Ya transferí: subir mi comprobante'),
        },
        {
          say: 'Para facturas a tu nombre, llena tus datos fiscales como están en tu Constancia.',
          at: '/fiscal',
        },
      ],
    },
  ],
}
