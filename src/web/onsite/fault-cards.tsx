import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { isActive } from '../../domain/appointment.ts'
import { faultSlots } from '../../domain/photo-slots.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { Fault } from '../../server/faults/queries.ts'
import { Help } from '../help.tsx'
import type { Failure } from '../submit.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { controlClass, FieldFrame, useField } from '../ui/field-frame.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Installed } from './installed-loader.ts'
import { PhotoGrid } from './photo-grid.tsx'

const sizeHelp = 'JPEG, PNG, WebP o HEIC de hasta 12 MB.'

/** Where a customer tells what fails: words, and a photo if they like. */
export function ReportFault({ installed, result }: { installed: Installed; result: Failure | undefined }) {
  return (
    <Details summary="Reportar una falla" open={result !== undefined}>
      <p className="flex gap-2 text-[0.9375rem]">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-wait" />
        Si huele a quemado o ves chispas, baja el interruptor «Cargador» y llámanos.
      </p>
      <Help about="Hola, mi cargador tiene una falla" />
      <Form result={result} encType="multipart/form-data">
        <Ids installed={installed} result={result} />
        <TextArea
          label="¿Qué pasa?"
          name="description"
          maxLength={2000}
          help="Qué hace o no hace, desde cuándo, y qué luz se ve."
        />
        <PhotoBox
          label="Foto"
          help={`${sizeHelp} Después puedes agregar más, hasta ${faultSlots.length}.`}
          optional
        />
        <Submit name="intent" value="report-fault">
          Enviar reporte
        </Submit>
      </Form>
    </Details>
  )
}

type FaultReportProps = {
  fault: Fault
  installed: Installed
  heard: (intent: string) => Failure | undefined
}

/** A fault that was reported: what was said and shown of it, and the visit that answers it. */
export function FaultReport({ fault, installed, heard }: FaultReportProps) {
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
      {!closedAt && photos.length < faultSlots.length && (
        <MorePhotos fault={fault} installed={installed} result={heard('add-fault-photo')} />
      )}
    </Card>
  )
}

function Answered({ visit }: Pick<Fault, 'visit'>) {
  if (visit && isActive(visit.state))
    return (
      <>
        <p>Tu visita de garantía {visit.folio} está apartada.</p>
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

function MorePhotos({
  fault,
  installed,
  result,
}: Pick<FaultReportProps, 'fault' | 'installed'> & { result: Failure | undefined }) {
  return (
    <Details summary="Agregar una foto" open={result !== undefined} key={fault.photos.length}>
      <Form result={result} encType="multipart/form-data">
        <Ids installed={installed} result={result} faultId={fault.id} />
        <PhotoBox label="Foto" help={sizeHelp} />
        <Submit name="intent" value="add-fault-photo" variant="ghost">
          Enviar foto
        </Submit>
      </Form>
    </Details>
  )
}

type IdsProps = { installed: Installed; result: Failure | undefined; faultId?: string }

/** What makes a form that is sent twice one report. */
function Ids({ installed: { appointmentId, ids }, result, faultId }: IdsProps) {
  const [made] = useState(ids)
  return (
    <>
      <input type="hidden" name="appointmentId" value={appointmentId} />
      <input type="hidden" name="faultId" value={faultId ?? result?.values.faultId ?? made.faultId} />
      <input type="hidden" name="photoId" value={result?.values.photoId ?? made.photoId} />
    </>
  )
}

type PhotoBoxProps = { label: string; help: string; optional?: boolean }

function PhotoBox({ label, help, optional }: PhotoBoxProps) {
  const field = useField({ name: 'photo', help, optional })
  return (
    <FieldFrame {...{ ...field, label, help, optional }}>
      <input
        {...field.described}
        {...field.focus}
        id={field.id}
        name="photo"
        type="file"
        accept="image/jpeg,image/png,image/webp,image/heic,image/heif"
        className={controlClass}
      />
    </FieldFrame>
  )
}
