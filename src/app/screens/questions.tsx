import { Details } from '../../ui/card.tsx'

/** A question as people ask it, and its answer in a few sentences. */
export type HelpQuestion = { question: string; answer: string }

/** What visitors and customers ask before they decide; `warrantyMonths` and `free` are the settings' of today. */
export const customerQuestions = ({
  warrantyMonths,
  free,
}: {
  warrantyMonths: number
  free: boolean
}): readonly HelpQuestion[] => [
  {
    question: '¿Cuánto tarda todo?',
    answer:
      'La visita dura una hora y la instalación medio día. Entre una y otra eliges opción, das tu anticipo y agendas. Un trámite ante CFE tarda de 15 a 45 días, y a veces más: siempre te decimos en qué va.',
  },
  {
    question: '¿La visita técnica se paga?',
    answer: free
      ? 'No. La visita es gratis y no te compromete a nada.'
      : 'Sí, y su precio se abona a tu anticipo. Lo ves antes de agendar.',
  },
  {
    question: '¿Qué incluye el precio?',
    answer:
      'Material, mano de obra, protecciones, pruebas e IVA. El cargador se incluye si lo pides; si ya tienes el tuyo o te lo da tu concesionaria, lo instalamos igual.',
  },
  {
    question: '¿Necesito un segundo medidor?',
    answer:
      'No siempre. Con uno aparte la tarifa del auto suele salir más barata; si tu instalación alcanza, también puede ir en el medidor de tu casa. El técnico mide y te decimos qué conviene.',
  },
  {
    question: 'Vivo en departamento, ¿se puede?',
    answer:
      'Casi siempre. Hace falta el permiso de tu condominio, que subes a tu cuenta, y medir la ruta del medidor a tu cajón.',
  },
  {
    question: '¿Qué autos y cargadores instalan?',
    answer:
      'Los que se venden en México: BYD, Tesla, MG, JAC, Nissan, Chevrolet, Ford, BMW, Volvo, Kia, Renault y más; y cargadores de 3.7 a 22\u00a0kW de cualquier marca con certificado para México.',
  },
  {
    question: '¿Qué garantía tengo?',
    answer: `${warrantyMonths} meses por escrito sobre la instalación. Desde tu cuenta reportas una falla y agendamos con prioridad.`,
  },
  {
    question: '¿Y si me arrepiento?',
    answer:
      'Puedes cancelar antes de la instalación. Antes de aceptar tu cotización te mostramos las condiciones del reembolso, y se guardan con ella.',
  },
]

/** What customers ask once they have an account. */
export const accountQuestions: readonly HelpQuestion[] = [
  {
    question: '¿Cómo cambio o cancelo una cita?',
    answer:
      'Abre tu cita y elige «Cambiar» o «Cancelar». Ahí mismo dice hasta cuándo puedes hacerlo en línea; después escríbenos y te ayudamos.',
  },
  {
    question: '¿Qué preparo para la visita?',
    answer:
      'Tu recibo de CFE, el modelo de tu auto y que podamos llegar al medidor y a tu cajón. Alguien mayor de edad debe recibirnos.',
  },
  {
    question: 'Ya transferí, ¿qué sigue?',
    answer:
      'Sube tu comprobante en Pagos. Lo revisamos en un día hábil y te avisamos; si algo falta, te decimos qué.',
  },
  {
    question: '¿Cómo pido mi factura?',
    answer: 'En Pagos agrega tus datos fiscales y pide la factura de cualquiera de tus pagos.',
  },
  {
    question: 'Mi cargador falla',
    answer:
      'Si huele a quemado o hace chispas, baja su pastilla y no lo uses. Luego entra a Instalación y elige «Reportar una falla»: en garantía agendamos con prioridad.',
  },
]

const withoutSignal = {
  question: 'Me quedé sin señal en una visita',
  answer:
    'Sigue trabajando: lo que escribes y las fotos se guardan en tu teléfono y se envían cuando vuelve la señal. «Por enviar» dice cuánto falta.',
}

/** What staff ask; `isOffline` whose pages work without a network. */
export const staffQuestions = (isOffline: boolean): readonly HelpQuestion[] => [
  {
    question: '¿Cómo encuentro a un cliente, un folio o un pago?',
    answer:
      'Con el buscador del menú (o Ctrl K): acepta folios, nombres sin acentos, teléfonos, correos, domicilios y claves de rastreo. Solo muestra lo que tu puesto puede ver.',
  },
  ...(isOffline ? [withoutSignal] : []),
  {
    question: 'Me equivoqué, ¿se puede deshacer?',
    answer:
      'Casi siempre: el aviso de abajo tiene «Deshacer» unos segundos, y la página de la cita y el tablero, 30; nadie recibe un correo antes. Lo que no se puede deshacer se dice antes de que lo confirmes.',
  },
  {
    question: 'Algo dice que no tengo permiso',
    answer: 'Pídelo a la gerencia: es quien da acceso y cambia el puesto de cada persona en Usuarios.',
  },
]

/** Questions that open in place. */
export const Questions = ({ list }: { list: readonly HelpQuestion[] }) => (
  <div className="@container">
    <div className="grid items-start gap-2 @4xl:grid-cols-2">
      {list.map(({ question, answer }) => (
        <Details key={question} summary={question}>
          <p className="text-[0.9375rem] text-mute">{answer}</p>
        </Details>
      ))}
    </div>
  </div>
)
