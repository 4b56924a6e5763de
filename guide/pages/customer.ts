import { type GuidePage, inMain, part, words } from '../shape.ts'

export const customer: GuidePage = {
  file: 'cliente',
  title: 'Cliente',
  intro: 'De tu registro al cargador en tu casa, paso por paso.',
  kind: null,
  as: 'cliente@demo.mx',
  size: 'phone',
  sections: [
    {
      item: 'home',
      intro: 'Aquí ves siempre en qué va tu instalación y qué sigue.',
      steps: [
        {
          say: 'La tarjeta dice en una frase qué sigue y, debajo, en qué paso vas.',
          at: '/',
          show: words(/^Paso \d de \d/),
        },
        {
          say: 'El botón es lo único que te toca hacer ahora. Tócalo para seguir.',
          show: inMain('link', 'Agendar visita'),
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
          press: (page) => page.getByRole('main').getByText('Editar', { exact: true }),
          show: part('textbox', 'Código postal'),
        },
        {
          say: 'Completa lo demás y toca “Guardar”.',
          show: part('button', 'Guardar'),
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
          show: inMain('link', 'Agendar asesoría'),
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
          follow: part('link', 'Cambiar de hora'),
        },
        {
          say: 'Tu cita queda aquí, con su folio. Puedes cambiarla de hora o cancelarla.',
          at: '/technics-visit',
          show: part('link', 'Cambiar de hora'),
        },
      ],
    },
    {
      item: 'quote',
      intro: 'Después de la visita recibes una cotización con una a tres opciones.',
      as: 'cliente4@demo.mx',
      steps: [
        {
          say: 'Elige una opción; la recomendada ya está marcada. En “Qué incluye” ves cada partida y cómo se suma. Puedes agregar más: el total cambia al momento.',
          at: '/quote',
          show: part('radio', 'Recomendada'),
        },
        {
          say: 'Toca “Revisar y aceptar”: ves el total, el anticipo y las condiciones, escribes tu nombre completo y tocas “Aceptar cotización”. También puedes pedir cambios.',
          press: part('button', 'Revisar y aceptar'),
          show: part('textbox', 'Tu nombre completo'),
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
          show: inMain('link', 'Agendar instalación'),
        },
      ],
    },
    {
      item: 'payments',
      intro: 'Lo que has pagado, lo que sigue y tus facturas.',
      as: 'cliente5@demo.mx',
      steps: [
        {
          say: 'Paso 1: haz la transferencia con estos datos; cada uno se copia con su botón.',
          at: '/payments',
          show: part('heading', 'Anticipo'),
        },
        {
          say: 'Paso 2: sube tu comprobante con la clave de rastreo. Lo revisamos en 1 día hábil; mientras tanto puedes cambiarlo o retirarlo.',
          show: part('button', 'Enviar comprobante'),
        },
        {
          say: 'Para facturas a tu nombre, llena tus datos fiscales como están en tu Constancia.',
          at: '/fiscal',
        },
      ],
    },
  ],
}
