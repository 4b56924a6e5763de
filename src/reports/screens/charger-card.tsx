import { FileText } from 'lucide-react'
import { Help } from '../../kit/help.tsx'
import { longDate } from '../../shared/format.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Installed } from './own-reports-server.ts'

type ChargerProps = { installed: Installed }

/** An installed charger: what it is, since when, until when it is under warranty, and its papers. */
export const ChargerCard = ({ installed }: ChargerProps) => (
  <Card title="Tu cargador">
    <ChargerFacts installed={installed} />
    {!installed.isApproved && (
      <p className="text-mute">
        Todavía revisamos el registro de tu técnico. Al aprobarlo, aquí quedan tu documento de entrega y tu
        garantía. Si algo no se ve bien, no uses el cargador y escríbenos.
      </p>
    )}
    {!installed.isApproved && <Help about="Hola, tengo una duda de mi instalación" />}
    <Handover installed={installed} />
  </Card>
)

const ChargerFacts = ({ installed }: ChargerProps) => {
  const { brand, installedAt, isApproved, model, serial, warrantyUntil } = installed
  return (
    <DefinitionList
      items={[
        { term: 'Marca', value: brand },
        { term: 'Modelo', value: model },
        { term: 'Número de serie', value: serial },
        { term: 'Instalado el', value: longDate(installedAt) },
        { term: 'Garantía hasta', value: isApproved && warrantyUntil ? longDate(warrantyUntil) : null },
      ]}
    />
  )
}

const Handover = ({ installed: { appointmentId, isApproved } }: ChargerProps) =>
  isApproved && (
    <a className={buttonClass('ghost')} href={`/handover/${appointmentId}.pdf`}>
      <FileText aria-hidden className="size-5" />
      Documento de entrega
    </a>
  )

/** The same at home, once all is done: its papers, and what a customer may want of us from then on. */
export function ChargerAtHome({ installed }: ChargerProps) {
  const { faults, mayReport } = installed
  const isBroken = faults.some(({ closedAt }) => closedAt === null)
  return (
    <Card title="Tu cargador">
      <ChargerFacts installed={installed} />
      <div className="grid gap-3 sm:grid-cols-2 *:w-full">
        <Handover installed={installed} />
        {mayReport && !isBroken && (
          <LinkButton variant="ghost" to="/installation?falla#falla">
            Reportar una falla
          </LinkButton>
        )}
        <LinkButton variant="ghost" to="/payments#facturas">
          Pedir factura
        </LinkButton>
        {!isBroken && (
          <LinkButton variant="ghost" to="/installation#otro">
            Otro cargador
          </LinkButton>
        )}
      </div>
      {!mayReport && <Help about="Hola, mi cargador ya no tiene garantía y algo falla" />}
    </Card>
  )
}
