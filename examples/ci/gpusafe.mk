# For a Makefile: `include gpusafe.mk`, then
#   make gpusafe            analyses what the build compiles, and fails on what is broken
#   make gpusafe-baseline   notes what is there today, so that only what is new counts
# GPUSAFE_TARGETS: what to build (default: the first target); GPUSAFE_FLAGS: more options.
GPUSAFE ?= gpusafe
GPUSAFE_FLAGS ?=
GPUSAFE_TARGETS ?=
GPUSAFE_BASELINE ?= gpusafe-baseline.json
gpusafe_default := $(.DEFAULT_GOAL)

.PHONY: gpusafe gpusafe-baseline
# A file that was built before is not compiled, and so not seen: -B makes all anew.
gpusafe:
	$(GPUSAFE) scan --html=gpusafe.html --sarif=gpusafe.sarif --json=gpusafe.json \
	  $(if $(wildcard $(GPUSAFE_BASELINE)),--baseline=$(GPUSAFE_BASELINE)) $(GPUSAFE_FLAGS) \
	  -- $(MAKE) -B $(GPUSAFE_TARGETS)

gpusafe-baseline:
	$(GPUSAFE) scan --write-baseline=$(GPUSAFE_BASELINE) --fail-on=never --text=/dev/null \
	  $(GPUSAFE_FLAGS) -- $(MAKE) -B $(GPUSAFE_TARGETS)
# Ours are not the default target, wherever this file is included.
.DEFAULT_GOAL := $(gpusafe_default)
