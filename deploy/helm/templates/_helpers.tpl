{{- define "engagement.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name "engagement" | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "engagement.serviceAccount" -}}
{{ default (include "engagement.name" .) .Values.serviceAccount.name }}
{{- end }}

{{- define "engagement.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "engagement.labels" -}}
{{ include "engagement.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "engagement.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end }}

{{- define "engagement.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "engagement.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Numbers of a values file are floats, which toString would write as 1e+06. */ -}}
{{- define "engagement.setting" -}}
{{ (kindIs "string" . | ternary . (toJson .)) | quote }}
{{- end }}

{{- define "engagement.env" -}}
{{- range $name := list "ROLES" "PORT" "METRICS_PORT" }}
{{- if hasKey $.Values.config $name }}{{ fail (printf "Remove config.%s, because the chart sets %s itself." $name $name) }}{{ end }}
{{- end -}}
- name: PORT
  value: "3000"
# /metrics has a port of its own, which the ingress does not publish.
- name: METRICS_PORT
  value: "9090"
{{- range $name, $value := merge (dict) .Values.config (dict "HOST" "0.0.0.0") }}
- name: {{ $name }}
  value: {{ include "engagement.setting" $value }}
{{- end }}
{{- end }}
