import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Fault } from '../../appointments/faults.ts'
import { isActive } from '../../appointments/rules/appointment.ts'
import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult, useOwnResult } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { later } from '../../kit/later.tsx'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { dateTime, longDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { faultSlots } from '../rules/photos.ts'
import { ChargerCard } from './charger-card.tsx'
import type { Installed } from './own-reports-server.ts'

const FormPhoto = later(
  () => import('../../photos/form-photo.tsx').then((part) => part.default),
  (field) => <Field {...field} type="file" accept="image/*" />,
)

/** What was installed at a customer's home: its charger with its papers, what to do when it fails, and its photos. */
export function InstalledCards({ installed }: { installed: Installed }) {
  const { faults, files, mayReport, warrantyUntil } = installed
  const open = faults.filter(({ closedAt }) => closedAt === null)
  const closed = faults.filter(({ closedAt }) => closedAt !== null)
  return (
    <>
      <ChargerCard installed={installed} />
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

const sizeHelp = 'JPEG, PNG, WebP o HEIC de hasta 12\u00a0MB.'

/** Where a customer reports a fault: words, and a photo if they like. */
function ReportFault({ installed }: { installed: Installed }) {
  const first = (
    <>
      <p className="flex gap-2 text-[0.9375rem]">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-wait" />
        Si huele a quemado o ves chispas, baja la pastilla «Cargador» y llámanos.
      </p>
      <Help about="Hola, mi cargador tiene una falla" />
    </>
  )
  const target = { appointmentId: installed.appointmentId }
  const isSent = useFormResult('report-fault', target) !== undefined
  const isWanted = useSearchParams()[0].has('falla')
  return (
    <div id="falla" className="scroll-mt-20">
      <Details summary="Reportar una falla" open={isSent || isWanted}>
        {first}
        <Form intent="report-fault" target={target} encType="multipart/form-data">
          <Ids ids={installed.ids} />
          <TextArea
            label="¿Qué pasa?"
            name="description"
            maxLength={2000}
            help="Qué hace o no hace, desde cuándo, y qué luz se ve."
          />
          <FormPhoto
            label="Foto"
            name="photo"
            help={`${sizeHelp} Después puedes agregar más, hasta ${faultSlots.length}.`}
            optional
          />
          <Submit>Enviar reporte</Submit>
        </Form>
      </Details>
    </div>
  )
}

type FaultReportProps = {
  fault: Fault
  installed: Installed
}

/** A reported fault: its description and photos, and the visit that answers it. */
function FaultReport({ fault, installed }: FaultReportProps) {
  const { closedAt, createdAt, description, photos } = fault
  return (
    <Card
      title="Tu reporte de falla"
      aside={<Badge tone={closedAt ? 'ok' : 'wait'}>{closedAt ? 'Atendido' : 'Abierto'}</Badge>}
    >
      <p className="whitespace-pre-line wrap-anywhere">{description}</p>
      <p className="text-sm text-mute">
        Lo reportaste el {dateTime(createdAt)}
        {closedAt && ` Lo atendimos el ${dateTime(closedAt)}`}
      </p>
      {photos.length > 0 && <PhotoGrid kind="installation" files={photos} reader="customer" />}
      {!closedAt && <Answered visit={fault.visit} />}
      {!closedAt && photos.length < faultSlots.length && <MorePhotos fault={fault} installed={installed} />}
    </Card>
  )
}

function Answered({ visit }: Pick<Fault, 'visit'>) {
  if (visit && isActive(visit.state))
    return (
      <>
        <p>Tu visita de garantía {visit.folio} está agendada.</p>
        <LinkButton variant="ghost" to="/technics-visit">
          Ver mi visita
        </LinkButton>
      </>
    )
  return (
    <>
      <p>Te llamamos para ver qué pasa. También puedes agendar tu visita de garantía ahora, sin costo.</p>
      <LinkButton to="/agenda-technics-visit">Agendar visita</LinkButton>
    </>
  )
}

function MorePhotos({ fault, installed }: FaultReportProps) {
  return (
    <FormDetails
      summary="Agregar una foto"
      key={fault.photos.length}
      intent="add-fault-photo"
      target={{ appointmentId: installed.appointmentId }}
      encType="multipart/form-data"
    >
      <Ids ids={installed.ids} faultId={fault.id} />
      <FormPhoto label="Foto" name="photo" help={sizeHelp} />
      <Submit variant="ghost">Enviar foto</Submit>
    </FormDetails>
  )
}

type IdsProps = { ids: Installed['ids']; faultId?: string }

/** The ids by which a form sent twice makes one report. */
function Ids({ ids, faultId }: IdsProps) {
  const [made] = useState(ids)
  const result = useOwnResult()
  return (
    <>
      <input type="hidden" name="faultId" value={faultId ?? result?.values.faultId ?? made.faultId} />
      <input type="hidden" name="photoId" value={result?.values.photoId ?? made.photoId} />
    </>
  )
}
