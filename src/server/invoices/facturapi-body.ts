import type { Cfdi, Concept, PaymentCfdi } from '../../domain/invoices/cfdi-schema.ts'
import { timeZone } from '../../domain/shared/calendar.ts'
import { centavosIn } from '../../domain/shared/money.ts'

type WithLines = Exclude<Cfdi, PaymentCfdi>

/** A request in the words of Facturapi's API; `key` makes that the same request asked for twice is stamped once. */
export function facturapiBody(request: Cfdi, key: string): Record<string, unknown> {
  const { Receptor, TipoDeComprobante } = request
  return {
    type: TipoDeComprobante,
    customer: {
      ...{ legal_name: Receptor.Nombre, tax_id: Receptor.Rfc, tax_system: Receptor.RegimenFiscalReceptor },
      address: { zip: Receptor.DomicilioFiscalReceptor },
    },
    ...{ external_id: key, idempotency_key: key },
    ...(TipoDeComprobante === 'P' ? paymentOf(request) : chargedOf(request)),
  }
}

function chargedOf(request: WithLines) {
  const isExact = ivaIsExact(request)
  return {
    use: request.Receptor.UsoCFDI,
    ...{ currency: request.Moneda, export: request.Exportacion, payment_form: request.FormaPago },
    items: request.Conceptos.map((concept) => itemOf(concept, isExact)),
    ...(request.TipoDeComprobante === 'I'
      ? { payment_method: request.MetodoPago }
      : {
          related_documents: request.CfdiRelacionados.map(({ TipoRelacion, UUID }) => ({
            relationship: TipoRelacion,
            documents: UUID,
          })),
        }),
  }
}

const itemOf = (concept: Concept, isExact: boolean) => ({
  quantity: Number(concept.Cantidad),
  discount: Number(concept.Descuento ?? 0),
  product: {
    ...{ description: concept.Descripcion, product_key: concept.ClaveProdServ },
    ...{ unit_key: concept.ClaveUnidad, unit_name: concept.Unidad ?? 'Actividad' },
    ...{ price: priceOf(concept), tax_included: false, taxability: concept.ObjetoImp },
    taxes: (concept.Traslados ?? []).map(({ Importe, TasaOCuota }) => ({
      ...{ type: 'IVA', factor: 'Tasa', rate: Number(TasaOCuota), withholding: false },
      ...(!isExact && TasaOCuota === '0.160000' && Importe !== '0.00' && { base: baseOf(Importe) }),
    })),
  },
})

/** They multiply it with six decimals and round the sum, we round each line: with this price both come to our amount. */
function priceOf({ Cantidad, Importe, ValorUnitario }: Concept): number {
  const [whole = '0', decimals = ''] = Cantidad.split('.')
  const thousandths = BigInt(whole) * 1000n + BigInt(decimals.padEnd(3, '0'))
  const exact = BigInt(centavosIn(Importe)!) * 10_000n * 1000n
  if (BigInt(ValorUnitario.replace('.', '')) * 100n * thousandths === exact) return Number(ValorUnitario)
  return Number((2n * exact + thousandths) / (2n * thousandths)) / 1_000_000
}

/** Whether 16 % of all bases together, rounded once as they do, is the IVA that we rounded line by line. */
function ivaIsExact({ Impuestos }: WithLines): boolean {
  const taxed = Impuestos.Traslados.find(({ TasaOCuota }) => TasaOCuota === '0.160000')
  return !taxed || Math.round((centavosIn(taxed.Base)! * 16) / 100) === centavosIn(taxed.Importe)
}

/** The base of which 16 % is a line's IVA to the centavo: three centavos at most from the line's own. */
const baseOf = (iva: string) => (centavosIn(iva)! * 625) / 10_000

const paymentOf = ({ Pagos }: PaymentCfdi) => ({
  complements: [
    {
      type: 'pago',
      data: Pagos.Pago.map(({ DoctoRelacionado, FechaPago, FormaDePagoP, MonedaP }) => ({
        ...{ payment_form: FormaDePagoP, currency: MonedaP, exchange: 1, date: instantOf(FechaPago) },
        related_documents: DoctoRelacionado.map((document) => ({
          uuid: document.IdDocumento,
          amount: Number(document.ImpPagado),
          installment: Number(document.NumParcialidad),
          last_balance: Number(document.ImpSaldoAnt),
          ...{ currency: document.MonedaDR, exchange: 1, taxability: document.ObjetoImpDR },
          taxes: document.ImpuestosDR.TrasladosDR.map(({ BaseDR, TasaOCuotaDR }) => ({
            ...{ base: Number(BaseDR), rate: Number(TasaOCuotaDR) },
            ...{ type: 'IVA', factor: 'Tasa', withholding: false },
          })),
        })),
      })),
    },
  ],
})

const instantOf = (localTime: string) =>
  Temporal.PlainDateTime.from(localTime).toZonedDateTime(timeZone).toInstant().toString()
