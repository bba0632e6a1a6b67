/** What a job is made of: a model and rows, chosen or brought. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { datasetsQuery, modelsQuery } from "../../api/registry"
import { strings } from "../../strings"
import { Field } from "../ui"
import { AddModelDialog } from "./add-model-dialog"
import { DatasetPreview } from "./dataset-preview"
import type { FormProps } from "./spec-fields"
import { UploadDialog } from "./upload-dialog"

export function ModelField({ form, set, problemAt }: FormProps) {
  const models = useQuery(modelsQuery)
  const [isAdding, setAdding] = useState(false)
  const items = models.data?.items ?? []
  const chosen = items.find((model) => model.model_id === form.model || model.name === form.model)
  const problem = problemAt("model")
  const { label, help } = strings.fields.model
  return (
    <div className="with-action">
      <Field
        label={label}
        help={chosen ? strings.models.parameters(chosen.num_parameters) : help}
        error={problem?.message}
        errorHint={problem?.hint}
      >
        {(attributes) => (
          <select
            {...attributes}
            name="model"
            value={chosen?.name ?? form.model}
            onChange={(event) => set("model", event.target.value)}
          >
            <option value="">{strings.newJob.chooseModel}</option>
            {!chosen && form.model && <option value={form.model}>{form.model}</option>}
            {items.map((model) => (
              <option key={model.model_id} value={model.name}>
                {model.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="button" onClick={() => setAdding(true)}>
        {strings.models.add}
      </button>
      {isAdding && (
        <AddModelDialog
          onClose={() => setAdding(false)}
          onAdded={(model) => {
            set("model", model.name)
            setAdding(false)
          }}
        />
      )}
    </div>
  )
}

export function DatasetField({ form, set, problemAt }: FormProps) {
  const datasets = useQuery(datasetsQuery)
  const [isUploading, setUploading] = useState(false)
  const items = datasets.data?.items ?? []
  // A name means its newest version, and the list is newest first.
  const chosen =
    items.find((dataset) => dataset.dataset_id === form.dataset) ??
    items.find((dataset) => dataset.name === form.dataset)
  const problem = problemAt("dataset")
  const { label, help } = strings.fields.dataset
  return (
    <>
      <div className="with-action">
        <Field
          label={label}
          help={chosen ? strings.datasets.rows(chosen.num_rows, chosen.num_bytes) : help}
          error={problem?.message}
          errorHint={problem?.hint}
        >
          {(attributes) => (
            <select
              {...attributes}
              name="dataset"
              value={chosen?.dataset_id ?? form.dataset}
              onChange={(event) => set("dataset", event.target.value)}
            >
              <option value="">{strings.newJob.chooseDataset}</option>
              {!chosen && form.dataset && <option value={form.dataset}>{form.dataset}</option>}
              {items.map((dataset) => (
                <option key={dataset.dataset_id} value={dataset.dataset_id}>
                  {dataset.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" onClick={() => setUploading(true)}>
          {strings.datasets.upload}
        </button>
      </div>
      {chosen && <DatasetPreview datasetId={chosen.dataset_id} />}
      {isUploading && (
        <UploadDialog
          onClose={() => setUploading(false)}
          onUploaded={(dataset) => {
            set("dataset", dataset.dataset_id)
            setUploading(false)
          }}
        />
      )}
    </>
  )
}
