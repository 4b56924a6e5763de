import { FileText } from 'lucide-react'
import { longDate } from '../../domain/shared/format.ts'
import { Help } from '../app/help.tsx'
import { PhotoGrid } from '../photos/photo-grid.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { FaultReport, ReportFault } from './fault-cards.tsx'
import type { Installed } from './installed-loader.ts'

/** What was installed at a customer's home: its charger with its papers, what to do when it fails, and its photos. */
export function InstalledCards({ installed }: { installed: Installed }) {
  const { faults, files, mayReport, warrantyUntil } = installed
  const open = faults.filter(({ closedAt }) => closedAt === null)
  const closed = faults.filter(({ closedAt }) => closedAt !== null)
  return (
    <>
      <Charger {...installed} />
      {open.map((fault) => (
        <FaultReport key={fault.id} fault={fault} installed={installed} />
      ))}
      {open.length === 0 && mayReport && <ReportFault installed={installed} />}
      {!mayReport && warrantyUntil && (
        <Card title="Tu garantía">
          <p>
            Terminó el {longDate(warrantyUntil)}. Si algo falla, escríbenos: vemos contigo cómo arreglarlo.
          </p>
          <Help about="Hola, mi cargador ya no tiene garantía y algo falla" />
        </Card>
      )}
      {closed.map((fault) => (
        <FaultReport key={fault.id} fault={fault} installed={installed} />
      ))}
      <section className="grid gap-4">
        <h2 className="font-semibold">Fotos de tu instalación</h2>
        <PhotoGrid kind="installation" files={files} reader="customer" />
      </section>
    </>
  )
}

const Charger = ({ appointmentId, brand, isApproved, model, serial, warrantyUntil }: Installed) => (
  <Card title="Tu cargador">
    <DefinitionList
      items={[
        { term: 'Marca', value: brand },
        { term: 'Modelo', value: model },
        { term: 'Número de serie', value: serial },
        { term: 'Garantía hasta', value: isApproved && warrantyUntil ? longDate(warrantyUntil) : null },
      ]}
    />
    {!isApproved && (
      <p className="text-mute">
        Todavía revisamos el registro de tu técnico. Al aprobarlo, aquí quedan tu documento de entrega y tu
        garantía. Si algo no se ve bien, no uses el cargador y escríbenos.
      </p>
    )}
    {!isApproved && <Help about="Hola, tengo una duda de mi instalación" />}
    {isApproved && (
      <a className={buttonClass('ghost')} href={`/handover/${appointmentId}.pdf`}>
        <FileText aria-hidden className="size-5" />
        Documento de entrega
      </a>
    )}
  </Card>
)
