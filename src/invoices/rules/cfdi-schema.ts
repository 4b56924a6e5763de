import { z } from 'zod'
import {
  activityUnit,
  billingProduct,
  ivaKey,
  type PaymentForm,
  paymentForms,
  type Relation,
  relations,
} from './sat-catalogues.ts'
import { type CfdiUse, cfdiUseCodes, type Regime, regimeCodes } from './taxpayer.ts'

/**
 * The request for an invoice, in the terms of Anexo 20 of the SAT (CFDI 4.0, Pagos 2.0), without what the stamping
 * service adds (date, certificate, seals). Amounts are text with two decimals, so that no figure passes through a
 * float. docs/cfdi.schema.json is generated from it.
 */

const keys = <Key extends string>(table: Readonly<Record<Key, string>>) => Object.keys(table) as Key[]
const amount = z.string().regex(/^\d{1,12}\.\d{2}$/)
const rfc = z.string().regex(/^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/)
const postalCode = z.string().regex(/^\d{5}$/)
const folioFiscal = z.string().regex(/^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/)
/** The SAT uses | as a separator. */
const text = (most: number) => z.string().regex(new RegExp(`^[^|]{1,${most}}$`))
const regime = z.enum(regimeCodes as [Regime, ...Regime[]])
const use = z.enum(cfdiUseCodes.filter((code) => code !== 'CN01') as [CfdiUse, ...CfdiUse[]])
const rate = z.enum(['0.160000', '0.000000'])
const someForm = z.enum(keys(paymentForms) as [PaymentForm, ...PaymentForm[]])
const knownForm = someForm.exclude(['99'])

const transferred = z.strictObject({
  Base: amount,
  Impuesto: z.literal(ivaKey),
  TipoFactor: z.literal('Tasa'),
  TasaOCuota: rate,
  Importe: amount,
})
const concept = z.strictObject({
  ClaveProdServ: z.string().regex(/^\d{8}$/),
  ClaveUnidad: z.string().regex(/^[A-Z0-9]{2,3}$/),
  Unidad: text(20).optional(),
  Cantidad: z.string().regex(/^\d{1,7}(?:\.\d{1,3})?$/),
  Descripcion: text(1000),
  ValorUnitario: z.string().regex(/^\d{1,10}\.\d{4}$/),
  Importe: amount,
  Descuento: amount.optional(),
  ObjetoImp: z.enum(['02', '04']),
  Traslados: z.array(transferred).length(1).optional(),
})
const issuer = z.strictObject({ Rfc: rfc, Nombre: text(254), RegimenFiscal: regime })
const receiver = z.strictObject({
  Rfc: rfc,
  Nombre: text(254),
  DomicilioFiscalReceptor: postalCode,
  RegimenFiscalReceptor: regime,
  UsoCFDI: use,
})
const parties = {
  Version: z.literal('4.0'),
  Exportacion: z.literal('01'),
  LugarExpedicion: postalCode,
  Emisor: issuer,
  Receptor: receiver,
}
const charged = {
  ...parties,
  Moneda: z.literal('MXN'),
  SubTotal: amount,
  Descuento: amount.optional(),
  Total: amount,
  Conceptos: z.array(concept).min(1),
  Impuestos: z.strictObject({
    TotalImpuestosTrasladados: amount,
    Traslados: z.array(transferred).min(1).max(2),
  }),
}

const inOnePayment = z.strictObject({ MetodoPago: z.literal('PUE'), FormaPago: knownForm })
const inParts = z.strictObject({ MetodoPago: z.literal('PPD'), FormaPago: z.literal('99') })
const income = { TipoDeComprobante: z.literal('I'), ...charged }
const paidAtOnce = z.strictObject({ ...income, ...inOnePayment.shape })
const paidInParts = z.strictObject({ ...income, ...inParts.shape })

const creditNote = z.strictObject({
  TipoDeComprobante: z.literal('E'),
  ...charged,
  ...inOnePayment.shape,
  CfdiRelacionados: z
    .array(
      z.strictObject({
        TipoRelacion: z.enum(keys(relations) as [Relation, ...Relation[]]),
        UUID: z.array(folioFiscal).length(1),
      }),
    )
    .length(1),
})

const transferredOfDocument = z.strictObject({
  BaseDR: amount,
  ImpuestoDR: z.literal(ivaKey),
  TipoFactorDR: z.literal('Tasa'),
  TasaOCuotaDR: rate,
  ImporteDR: amount,
})
const transferredOfPayment = z.strictObject({
  BaseP: amount,
  ImpuestoP: z.literal(ivaKey),
  TipoFactorP: z.literal('Tasa'),
  TasaOCuotaP: rate,
  ImporteP: amount,
})
const installment = z.strictObject({
  IdDocumento: folioFiscal,
  MonedaDR: z.literal('MXN'),
  EquivalenciaDR: z.literal('1'),
  NumParcialidad: z.string().regex(/^[1-9]\d{0,2}$/),
  ImpSaldoAnt: amount,
  ImpPagado: amount,
  ImpSaldoInsoluto: amount,
  ObjetoImpDR: z.literal('02'),
  ImpuestosDR: z.strictObject({ TrasladosDR: z.array(transferredOfDocument).min(1).max(2) }),
})
const payment = z.strictObject({
  FechaPago: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/),
  FormaDePagoP: knownForm,
  MonedaP: z.literal('MXN'),
  TipoCambioP: z.literal('1'),
  Monto: amount,
  DoctoRelacionado: z.array(installment).length(1),
  ImpuestosP: z.strictObject({ TrasladosP: z.array(transferredOfPayment).min(1).max(2) }),
})
const complement = z.strictObject({
  TipoDeComprobante: z.literal('P'),
  ...parties,
  Moneda: z.literal('XXX'),
  SubTotal: z.literal('0'),
  Total: z.literal('0'),
  Receptor: receiver.extend({ UsoCFDI: z.literal('CP01') }),
  Conceptos: z
    .array(
      z.strictObject({
        ClaveProdServ: z.literal(billingProduct),
        ClaveUnidad: z.literal(activityUnit),
        Cantidad: z.literal('1'),
        Descripcion: z.literal('Pago'),
        ValorUnitario: z.literal('0'),
        Importe: z.literal('0'),
        ObjetoImp: z.literal('01'),
      }),
    )
    .length(1),
  Pagos: z.strictObject({
    Version: z.literal('2.0'),
    Totales: z.strictObject({
      TotalTrasladosBaseIVA16: amount.optional(),
      TotalTrasladosImpuestoIVA16: amount.optional(),
      TotalTrasladosBaseIVA0: amount.optional(),
      TotalTrasladosImpuestoIVA0: amount.optional(),
      MontoTotalPagos: amount,
    }),
    Pago: z.array(payment).length(1),
  }),
})

export const cfdiSchema = z
  .union([paidAtOnce, paidInParts, creditNote, complement])
  .meta({ title: 'Solicitud de CFDI 4.0' })
/** A request of any kind. */
export type Cfdi = z.output<typeof cfdiSchema>
export type IncomeCfdi = z.output<typeof paidAtOnce> | z.output<typeof paidInParts>
export type CreditNoteCfdi = z.output<typeof creditNote>
export type PaymentCfdi = z.output<typeof complement>
export type CfdiConcept = z.output<typeof concept>
