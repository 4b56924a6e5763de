import { ClipboardCheck, FileText, Landmark, type LucideIcon, PlugZap, UserPlus } from 'lucide-react'

const steps: readonly { icon: LucideIcon; title: string; words: string }[] = [
  { icon: UserPlus, title: 'Regístrate', words: 'Crea tu cuenta y dinos dónde vives.' },
  {
    icon: ClipboardCheck,
    title: 'Visita técnica',
    words: 'Revisamos tu instalación y el lugar del cargador.',
  },
  {
    icon: FileText,
    title: 'Cotización',
    words: 'Recibes opciones claras, con IVA. Aceptas y das tu anticipo.',
  },
  { icon: PlugZap, title: 'Instalación', words: 'Medio día en tu casa, con pruebas y garantía por escrito.' },
  { icon: Landmark, title: 'Trámite ante CFE', words: 'Si necesitas otro medidor o más carga, lo llevamos.' },
]

/** From the account to the first charge. */
export function Steps() {
  return (
    <section aria-labelledby="steps-title" className="grid gap-6 py-6">
      <h2 id="steps-title" className="text-xl font-semibold tracking-tight">
        Cinco pasos, sin sorpresas
      </h2>
      <ol className="grid gap-x-6 gap-y-0 lg:grid-cols-5">
        {steps.map(({ icon: Icon, title, words }, index) => (
          <li
            key={title}
            className="group relative grid grid-cols-[auto_1fr] content-start gap-x-4 pb-6 lg:grid-cols-1 lg:gap-y-3 lg:pb-0"
          >
            <span
              aria-hidden
              className="absolute top-12 bottom-1 left-[1.4375rem] w-0.5 bg-line group-last:hidden lg:top-[1.4375rem] lg:right-0 lg:bottom-auto lg:left-14 lg:h-0.5 lg:w-auto"
            />
            <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand">
              <Icon aria-hidden className="size-6" />
            </span>
            <div className="grid content-start gap-1">
              <h3 className="font-semibold">
                <span className="text-mute">{index + 1}. </span>
                {title}
              </h3>
              <p className="text-[0.9375rem] text-mute">{words}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
